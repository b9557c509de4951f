import type { NextFunction, Request, Response } from "express";

/** A name or an address, maybe with a port, and nothing else that an address can have. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;
const PROTOCOL = /^https?$/i;
/** No page can be asked with it: the standard's own `Request` throws. */
const UNKNOWN = "TRACE";

/**
 * Refuses a request whose head could not have come from a browser by way of a proxy. Remix puts its address together from the
 * protocol, the host and the path, of which anybody may write the first two: a host with a slash in it would choose another page
 * than the one that limits and forms were judged by. An address that cannot be read is its asker's fault, and no failure to log.
 */
export function refuseForgedHeads(request: Request, response: Response, next: NextFunction): void {
  if (request.method === UNKNOWN) response.status(405).type("text").send(METHOD);
  else if (isPlain(request)) next();
  else response.status(400).type("text").send(ADDRESS);
}

const METHOD = "This method is not known here.";
const ADDRESS = "This request has no address that can be read.";

function isPlain({ headers, originalUrl, path }: Request): boolean {
  const hosts = [...listed(headers.host), ...listed(headers["x-forwarded-host"])];
  const areHosts = hosts.every((one) => HOST.test(one) && URL.canParse(`http://${one}`));
  const areProtocols = listed(headers["x-forwarded-proto"]).every((one) => PROTOCOL.test(one));
  return areHosts && areProtocols && originalUrl.startsWith("/") && isDecodable(path);
}

/** The words that each proxy in a row has written. */
const listed = (header: string | string[] | undefined): string[] =>
  String(header ?? "")
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    // The answer says so: 400.
    return false;
  }
}
