import { existsSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createRequestHandler } from "@remix-run/express";
import type { ServerBuild } from "@remix-run/node";
import compression from "compression";
import express, { type NextFunction, type Request, type Response } from "express";
import type { App } from "./composition.server.ts";
import { createLoadContext } from "./load-context.ts";

const BUILD = new URL("../build/server/index.js", import.meta.url);

/**
 * Everything but the intake: built assets, the health check, and Remix. The pages are brought into memory when the
 * first one is asked for: messages are taken in without them, and as soon as the process is there.
 */
export function createWebHandler(
  app: App,
): (request: IncomingMessage, response: ServerResponse) => void {
  if (!existsSync(BUILD)) throw new Error("The pages are not built. Run npm run build.");
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
  const forever = { immutable: true, maxAge: "1y" };
  handler.use("/assets", compression(), express.static(`${assets}assets`, forever));
  handler.use(express.static(assets, { maxAge: "1h" }));
  handler.use("/app", refuseForeignForms(new URL(app.env.SHOPIFY_APP_URL).host));
  const pages = whenFirstAsked(async () => {
    const build: ServerBuild = await import(BUILD.href);
    return createRequestHandler({
      build,
      mode: "production",
      getLoadContext: () => createLoadContext(app),
    });
  });
  handler.all("*", (request, response, next) => {
    pages()
      .then((answer) => answer(request, response, next))
      .catch(next);
  });
  return handler;
}

/** What `make` makes, made once; what fails is tried again by the next who asks. */
function whenFirstAsked<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/**
 * A form of another site must not act in the merchant's name. Remix refuses it too, with a bare 500; this says
 * what it is.
 */
function refuseForeignForms(appHost: string) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const { origin, host } = request.headers;
    const isForm = !["GET", "HEAD", "OPTIONS"].includes(request.method);
    const from = URL.parse(origin ?? "")?.host;
    const isOurs = origin === undefined || from === host || from === appHost;
    if (isForm && !isOurs)
      response.status(403).type("text").send("This form was sent from another site.");
    else next();
  };
}
