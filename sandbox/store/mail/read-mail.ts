import PostalMime from "postal-mime";

/** The parts of a mail that an inbox shows, and what a mail program acts on. */
export interface ReadMail {
  subject: string;
  text: string;
  html: string | null;
  /** By name in lower case; of a name that stands twice, the last. */
  headers: Record<string, string>;
}

/** Reads a mail as it came over the wire; attachments are left out. */
export async function readMail(source: Buffer): Promise<ReadMail> {
  const { subject = "", text = "", html, headers } = await PostalMime.parse(source);
  // The library ends every part with a line break, whether or not the sender did.
  return {
    subject,
    text: text.replace(/\n+$/, "\n"),
    html: html?.trimEnd() ?? null,
    headers: Object.fromEntries(headers.map(({ key, value }) => [key.toLowerCase(), value])),
  };
}
