import type { IncomingMessage, ServerResponse } from "node:http";
import { createRequestHandler } from "@remix-run/express";
import type { ServerBuild } from "@remix-run/node";
import compression from "compression";
import express, { type NextFunction, type Request, type Response } from "express";
import { limitBodies } from "./body-limit.ts";
import type { App } from "./composition.server.ts";
import { createLoadContext } from "./load-context.ts";
import { knowsToken } from "./modules/access/open-link.ts";
import type { Logger } from "./platform/logger.ts";
import { answerPreflight, INTERFACE } from "./web/customer-interface/cors.ts";
import { despiteBusyDatabase } from "./web/despite-busy-database.ts";
import { readTrustedProxies } from "./web/rate-limiting/client-address.ts";
import { createRequestLimiter } from "./web/rate-limiting/request-limiter.ts";
import { refuseForgedHeads } from "./web/refuse-forged-heads.ts";

/** Built assets, and Remix. */
export function createWebHandler(
  app: App,
  build: ServerBuild,
): (request: IncomingMessage, response: ServerResponse) => void {
  const handler = express();
  handler.disable("x-powered-by");
  // Shopify's admin and the customer's browser talk to us through a proxy that ends TLS.
  handler.set("trust proxy", true);
  const requestLimiter = createRequestLimiter({
    decodeSessionToken: app.shopify.decodeSessionToken,
    proxyCall: app.proxyCall,
    knowsToken: (token) => knowsToken(app.ports, token),
    trustedProxies: readTrustedProxies(app.env.PATHWAY_TRUSTED_PROXIES),
    logger: app.logger,
    refusals: app.refusals,
  });
  handler.use((request, response, next) => {
    requestLimiter(request, response, next).catch(next);
  });
  handler.use(refuseForgedHeads);
  const assets = new URL("../build/client/", import.meta.url).pathname;
  const forever = { immutable: true, maxAge: "1y" };
  handler.use("/assets", compression(), express.static(`${assets}assets`, forever), answerNoFile);
  handler.use(express.static(assets, { maxAge: "1h" }));
  handler.options(`${INTERFACE}*`, answerPreflight);
  handler.use(limitBodies);
  handler.use("/app", refuseForeignForms(new URL(app.env.SHOPIFY_APP_URL).host));
  const pages = despiteBusyDatabase(build, app);
  const getLoadContext = () => createLoadContext(app);
  handler.all("*", createRequestHandler({ build: pages, mode: "production", getLoadContext }));
  handler.use(answerFailures(app.logger));
  return handler;
}

/** A page that says so would take the processor, and files are hardly limited. */
function answerNoFile(_request: Request, response: Response): void {
  response.status(404).type("text").send("There is no such file.");
}

/** Answers failures before Remix has the request. Express would print all of it. */
function answerFailures(logger: Logger) {
  return (error: unknown, _request: Request, response: Response, _next: NextFunction): void => {
    logger.error({ err: error }, "request could not be answered");
    if (response.headersSent) response.destroy();
    else response.status(500).type("text").send("This request could not be answered.");
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
