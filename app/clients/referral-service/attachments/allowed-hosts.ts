/** The hosts that files may come from, as `allows` sees them. */
export interface AllowedHosts {
  /** Why this address may not be visited, or null. Looks at the address only, resolves nothing. */
  objectionTo(url: URL): string | null;
}

/** Nothing but a host and a port. A pattern, such as "*.example.com", would be taken for a name that no address has. */
const WRITTEN = /^[^\s/@?#*.][^\s/@?#*]*$/;

/**
 * Reads a list of "host" (https, port 443), "host:port" (https or http) and addresses in either form
 * ("127.0.0.1:4010", "[::1]:4010"). Throws on an entry that is neither, for a typing error must not pass
 * silently in either direction.
 */
export function parseAllowedHosts(entries: readonly string[]): AllowedHosts {
  const secure = new Set<string>();
  const explicit = new Set<string>();
  for (const entry of entries) {
    const url = WRITTEN.test(entry) ? URL.parse(`http://${entry}`) : null;
    if (!url) throw new Error(`REFERRAL_ATTACHMENT_HOSTS: "${entry}" is no host and no host:port`);
    const port = /:(\d+)$/.exec(entry)?.[1];
    if (port) explicit.add(`${hostOf(url)}:${Number(port)}`);
    else secure.add(`${hostOf(url)}:443`);
  }
  return {
    objectionTo(url) {
      if (url.protocol !== "https:" && url.protocol !== "http:") return "neither https nor http";
      if (url.username || url.password) return "carries a user name";
      const place = `${hostOf(url)}:${portOf(url)}`;
      if (explicit.has(place)) return null;
      if (!secure.has(place)) return "host is not on the list";
      return url.protocol === "https:" ? null : "not https";
    },
  };
}

/**
 * The host in one spelling. The URL parser has already turned decimal, octal and hexadecimal IPv4 into dots,
 * shortened IPv6 and lower-cased names; "host." and "host" are the same place.
 */
function hostOf(url: URL): string {
  return url.hostname.replace(/\.$/, "");
}

/** The host of an address as the list would name it: "host", or "host:port" when its port is not 443. */
export function placeOf(url: URL): string {
  const port = portOf(url);
  return port === 443 ? hostOf(url) : `${hostOf(url)}:${port}`;
}

function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" ? 443 : 80;
}
