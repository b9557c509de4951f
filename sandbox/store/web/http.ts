import type { Request, RequestHandler, Response } from "express";
import type { Html } from "./html.ts";

/** Express 4 does not look at a handler's promise; this passes its failure on. */
export function asyncHandler(
  handler: (request: Request, response: Response) => Promise<void>,
): RequestHandler {
  return (request, response, next) => {
    handler(request, response).catch(next);
  };
}

export function sendPage(response: Response, page: Html, status = 200): void {
  response.status(status).type("html").set("Cache-Control", "no-store").send(page.text);
}

/** A form field as text; anything but a single string counts as empty. */
export function field(request: Request, name: string): string {
  const value: unknown = (request.body as Record<string, unknown> | undefined)?.[name];
  return typeof value === "string" ? value.trim() : "";
}

/** A path or query parameter as text. */
export function parameter(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A path of this site to go to next, or the fallback: never an address of somebody else's. */
export function localPath(value: string, fallback: string): string {
  return value.startsWith("/") && !value.startsWith("//") && !value.includes("\\")
    ? value
    : fallback;
}

/** Refuses requests that another site's page sends with the reader's browser. */
export const sameSiteOnly: RequestHandler = (request, response, next) => {
  const site = request.headers["sec-fetch-site"];
  if (site === undefined || site === "same-origin" || site === "none") next();
  else response.status(403).type("text").send("Refused: sent by another site.");
};
