import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import express, {
  type ErrorRequestHandler,
  type Request,
  type Response,
  type Router,
} from "express";
import { z } from "zod";
import type { AdminExecutor } from "../graphql/execute.ts";
import { adminApiVersion } from "../graphql/schema.ts";
import { createThrottle, type Throttle } from "../graphql/throttle.ts";
import { answerTokenRequest } from "../oauth/token-endpoint.ts";
import type { Platform } from "../platform.ts";
import type { TokenDocument } from "../state/install.ts";
import { shopOfRequest } from "./shop-of-request.ts";

const graphqlBody = z.object({
  query: z.string(),
  variables: z.record(z.string(), z.unknown()).nullish(),
  operationName: z.string().nullish(),
});

const wrongToken = "[API] Invalid API key or access token (unrecognized login or wrong password)";
const nonExpiringToken =
  "[API] Non-expiring access tokens are no longer accepted for the Admin API. Start using expiring offline tokens.";

/** Serves Shopify's addresses under `https://{shop}/admin`: the token endpoint and GraphQL. */
export function adminApi(platform: Platform, executor: AdminExecutor): Router {
  const router = express.Router();
  const throttles = new Map<string, Throttle>();
  const throttleOf = (shop: string): Throttle => {
    const throttle = throttles.get(shop) ?? createThrottle();
    throttles.set(shop, throttle);
    return throttle;
  };
  const body = [express.json({ limit: "2mb" }), express.urlencoded({ extended: false })];

  router.post(
    "/oauth/access_token",
    body,
    asynchronous(async (request, response) => {
      const shop = shopOfRequest(platform, request);
      if (!shop) return response.status(404).json({ errors: "Not Found" });
      const answer = await answerTokenRequest(platform, shop, request.body);
      return response.status(answer.status).json(answer.body);
    }),
  );

  router.post(
    "/api/:version/graphql.json",
    body,
    asynchronous(async (request, response) => {
      response.set("X-Request-Id", randomUUID()).set("X-Shopify-API-Version", adminApiVersion);
      const shop = shopOfRequest(platform, request);
      if (!shop || request.params.version !== adminApiVersion) {
        return response.status(404).json({ errors: "Not Found" });
      }
      await sleep(platform.faults.current().graphqlLatencyMs);
      const fault = platform.faults.graphqlStatus();
      if (fault !== null) return response.status(fault).json({ errors: statusText(fault) });
      const token = platform.data.tokens.get(request.get("x-shopify-access-token") ?? "");
      if (!token || token.shop !== shop.id || isExpired(platform, token)) {
        return response.status(401).json({ errors: wrongToken });
      }
      if (token.expiresAtMs === null)
        return response.status(403).json({ errors: nonExpiringToken });
      const parsed = graphqlBody.safeParse(request.body);
      if (!parsed.success) {
        return response
          .status(400)
          .json({ errors: { query: "Required parameter missing or invalid" } });
      }
      const caller = { platform, shop, scopes: token.scopes, isApp: true };
      return response.json(
        await executor.run(caller, parsed.data, throttleOf(shop.id), platform.faults.throttled()),
      );
    }),
  );

  router.use((_request, response) => response.status(404).json({ errors: "Not Found" }));
  const failed: ErrorRequestHandler = (error, _request, response, _next) => {
    const status = Number(Object(error).status) || 500; // a body that express could not read has its own
    if (status >= 500) platform.log(`admin call failed: ${Object(error).stack ?? error}`);
    response
      .status(status)
      .json({ errors: status >= 500 ? "Internal Server Error" : "Bad Request" });
  };
  router.use(failed);
  return router;
}

/** Express 4 leaves a rejected handler unanswered; this hands it on as an error. */
const asynchronous =
  (handle: (request: Request, response: Response) => Promise<unknown>): express.RequestHandler =>
  (request, response, next) => {
    handle(request, response).catch(next);
  };

const isExpired = (platform: Platform, token: TokenDocument): boolean =>
  token.expiresAtMs !== null && token.expiresAtMs <= platform.clock.nowMs();

const statusText = (status: number): string =>
  status === 429 ? "Exceeded call limit" : status >= 500 ? "Internal Server Error" : "Refused";
