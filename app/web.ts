import type { IncomingMessage, ServerResponse } from "node:http";
import { createRequestHandler } from "@remix-run/express";
import type { ServerBuild } from "@remix-run/node";
import express from "express";
import type { App } from "./composition.server.ts";
import { createLoadContext } from "./load-context.ts";

/** Everything but the intake: built assets, the health check, and Remix. */
export async function createWebHandler(
  app: App,
): Promise<(request: IncomingMessage, response: ServerResponse) => void> {
  const buildPath = new URL("../build/server/index.js", import.meta.url);
  const build: ServerBuild = await import(buildPath.href);
  const handler = express();
  handler.disable("x-powered-by");
  // Shopify's admin and the customer's browser talk to us through a proxy that ends TLS.
  handler.set("trust proxy", true);
  handler.get("/healthz", async (_request, response) => {
    try {
      await app.database.pool.query("SELECT 1");
      response.json({ ok: true });
    } catch {
      response.status(503).json({ ok: false });
    }
  });
  const assets = new URL("../build/client/", import.meta.url).pathname;
  handler.use("/assets", express.static(`${assets}assets`, { immutable: true, maxAge: "1y" }));
  handler.use(express.static(assets, { maxAge: "1h" }));
  handler.all(
    "*",
    createRequestHandler({
      build,
      mode: "production",
      getLoadContext: () => createLoadContext(app),
    }),
  );
  return handler;
}
