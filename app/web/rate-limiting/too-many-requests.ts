import type { ServerResponse } from "node:http";

const HEADING = "Too many requests";

/** Tells a program or a person that there were too many requests, and when to come again. */
export function answerTooMany(
  response: ServerResponse,
  { path, afterMs }: { path: string; afterMs: number },
): void {
  const seconds = Math.max(1, Math.ceil(afterMs / 1000));
  const wait = `Wait ${seconds === 1 ? "a second" : `${seconds} seconds`}, then try again.`;
  const isPage = /^\/(t|visit|stop|documents|exports|app|auth|proxy)(\/|$)|^\/$/.test(path);
  const isForProgram = path.startsWith("/api/") || path.endsWith(".data") || !isPage;
  const body = isForProgram
    ? JSON.stringify({ error: "too_many_requests" })
    : `<!doctype html><html lang="en-AU"><meta charset="utf-8"><title>${HEADING}</title>` +
      `<meta name="viewport" content="width=device-width"><main><h1>${HEADING}</h1><p>${wait}</p></main></html>`;
  response.writeHead(429, {
    "content-type": isForProgram ? "application/json" : "text/html; charset=utf-8",
    "retry-after": String(seconds),
    ...(path.startsWith("/api/customer/") ? { "access-control-allow-origin": "*" } : {}),
  });
  response.end(body);
}
