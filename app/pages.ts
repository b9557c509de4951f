import { existsSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { App } from "./composition.server.ts";
import { lazyAsync } from "./platform/lazy-async.ts";

const BUILD = new URL("../build/server/index.js", import.meta.url);

/**
 * Everything but messages and the health check. The pages and what serves them come into memory with the first request
 * for one: messages are taken in without them, and as soon as the process is there (docs/decisions/0020).
 */
export function createPages(
  app: App,
): (request: IncomingMessage, response: ServerResponse) => void {
  if (!existsSync(BUILD)) throw new Error("The pages are not built. Run npm run build.");
  const web = lazyAsync(async () => {
    const { createWebHandler } = await import("./web.ts");
    return createWebHandler(app, await import(BUILD.href));
  });
  return (request, response) => {
    web().then(
      (handle) => handle(request, response),
      (error: unknown) => {
        app.logger.error({ err: error }, "the pages cannot be loaded");
        response.writeHead(500).end();
      },
    );
  };
}
