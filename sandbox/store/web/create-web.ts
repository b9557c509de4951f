import type { IncomingMessage, ServerResponse } from "node:http";
import express, { type ErrorRequestHandler } from "express";
import { accountRoutes } from "./account/routes.ts";
import { adminRoutes } from "./admin/routes.ts";
import { appBridgeScript, assetRoutes } from "./assets.ts";
import { createContext, type WebContext } from "./context.ts";
import { asyncHandler } from "./http.ts";
import type { StorePorts, WebOptions } from "./ports.ts";
import { sandboxRoutes } from "./sandbox-pages/routes.ts";
import { storefrontRoutes } from "./storefront/routes.ts";

/** Answers true when the pages have answered (or are answering), false when the path is none of theirs. */
export type Web = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

/** Builds the pages of the sandbox store over the store's ports. */
export function createWeb(ports: StorePorts, options: WebOptions = {}): Web {
  const web = createContext(ports, options);
  const app = express();
  app.disable("x-powered-by");
  app.set("etag", "strong");
  app.get(
    "/app-bridge.js",
    asyncHandler(async (_request, response) => {
      response
        .type("js")
        .set("Cache-Control", "no-cache")
        .send(await appBridgeScript(web));
    }),
  );
  app.use("/web-assets", assetRoutes(web));
  const pages = express.Router();
  pages.use((_request, response, next) => {
    response.set("Content-Security-Policy", pagePolicy(web));
    response.set("Referrer-Policy", "same-origin");
    response.set("X-Content-Type-Options", "nosniff");
    next();
  });
  pages.use("/admin-ui", adminRoutes(web));
  // The real admin has an origin of its own: there its pages begin with /store.
  pages.get(/^\/store\//, (request, response) =>
    response.redirect(`/admin-ui${request.originalUrl}`),
  );
  pages.use("/account", accountRoutes(web));
  pages.use("/sandbox", sandboxRoutes(web));
  pages.use(storefrontRoutes(web));
  app.use(pages);
  app.use(errorAnswer);

  return (request, response) =>
    new Promise((resolve) => {
      if (!isOurs(request.url ?? "/")) {
        resolve(false);
        return;
      }
      // Express calls `next` only for paths that no page answers; ours have a page for that.
      app(request as express.Request, response as express.Response, () => {
        response.statusCode = 404;
        response.end("Not found");
      });
      resolve(true);
    });
}

const OUR_PATHS =
  /^\/(?:$|app-bridge\.js$|(?:products|collections|cart|checkout|account|apps|cdn|admin-ui|store|sandbox|web-assets)(?:\/|\.js$|$))/;

function isOurs(url: string): boolean {
  return OUR_PATHS.test(url.split("?")[0] ?? "/");
}

/** Nothing of these pages comes from or goes to anywhere but the store and the app. */
function pagePolicy({ facts }: WebContext): string {
  const app = facts.app.url ? new URL(facts.app.url).origin : "";
  return [
    "default-src 'self'",
    "script-src 'self' 'unsafe-inline'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    `frame-src 'self' ${app}`,
    `connect-src 'self' ${app}`,
    "frame-ancestors 'self'",
    "form-action 'self'",
    "base-uri 'none'",
  ].join("; ");
}

const errorAnswer: ErrorRequestHandler = (error, request, response, next) => {
  console.error(`${request.method} ${request.path}:`, error);
  if (response.headersSent) {
    next(error);
    return;
  }
  response
    .status(500)
    .type("text")
    .send(`The sandbox store failed: ${String(error?.message ?? error)}`);
};
