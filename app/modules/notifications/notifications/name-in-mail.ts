const MAX_SIGNS = 60;

/**
 * Writes a name that one person typed into a mail to another, whose address the same person chose. A mail program makes a link
 * of anything like an address, so a name of that kind would carry anybody's message under the shop's own. A dot gets a space, and
 * signs that no name has become one. So do those that turn the direction of the rest of the line.
 */
export function nameInMail(name: string): string {
  const plain = name
    .replace(/[@/\\<>\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, " ")
    .replace(/[.\u3002\uff0e\uff61](?=\S)/gu, ". ")
    .replace(/\s+/g, " ")
    .trim();
  const signs = [...plain];
  return signs.length > MAX_SIGNS ? `${signs.slice(0, MAX_SIGNS).join("").trim()}…` : plain;
}
