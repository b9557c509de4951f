import type { OutgoingHttpHeaders, ServerResponse } from "node:http";

/** Nothing is loaded, run or framed: for every answer that is no page, and for pages that say nothing else. */
const NOTHING = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

const EVERYWHERE: Record<string, string> = {
  // Files that anybody may keep say so themselves.
  "cache-control": "private, no-store",
  "content-security-policy": NOTHING,
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** A year, and every name below ours. */
const ONLY_HTTPS = { "strict-transport-security": "max-age=31536000; includeSubDomains" };

/**
 * Adds the headers that every answer carries, whoever writes it: intake, pages, their data, errors, files. One that the
 * answer has already stays as it is. `https`: whether browsers reach us by https.
 */
export function addHeaders(response: ServerResponse, { https }: { https: boolean }): void {
  const added = Object.entries(https ? { ...EVERYWHERE, ...ONLY_HTTPS } : EVERYWHERE);
  const writeHead = response.writeHead;
  response.writeHead = (status: number, ...rest: unknown[]) => {
    const given = rest.at(-1);
    const own =
      typeof given === "object"
        ? new Set(Object.keys(given as OutgoingHttpHeaders).map((name) => name.toLowerCase()))
        : null;
    for (const [name, value] of added)
      if (!own?.has(name) && !response.hasHeader(name)) response.setHeader(name, value);
    return Reflect.apply(writeHead, response, [status, ...rest]);
  };
}
