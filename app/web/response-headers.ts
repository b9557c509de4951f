import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import { ServerResponse as NodeResponse } from "../platform/http.ts";

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
  // One function for all answers: one for each kept its message in memory (docs/decisions/0149). On the answer itself, for
  // Express gives an answer another class.
  response.writeHead = https ? writeHeadByHttps : writeHeadByHttp;
}

const writeHeadByHttp = writeHeadWith(EVERYWHERE);
const writeHeadByHttps = writeHeadWith({ ...EVERYWHERE, ...ONLY_HTTPS });

/** Node's `writeHead` with these headers, where the answer has none of that name. Headers are given as an object, not as a list. */
function writeHeadWith(names: Record<string, string>): ServerResponse["writeHead"] {
  const added = Object.entries(names);
  return function (this: ServerResponse, status: number, ...rest: unknown[]) {
    const given = typeof rest.at(-1) === "object" ? rest.pop() : undefined;
    const headers = { ...(given as OutgoingHttpHeaders | undefined) };
    const own = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
    for (const [name, value] of added)
      if (!own.has(name) && !this.hasHeader(name)) headers[name] = value;
    return Reflect.apply(NodeResponse.prototype.writeHead, this, [status, ...rest, headers]);
  };
}
