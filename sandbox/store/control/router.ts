import { timingSafeEqual } from "node:crypto";
import express, { type ErrorRequestHandler, type Request, type Router } from "express";
import { ZodError, z } from "zod";
import type { Platform } from "../platform.ts";
import { Refusal } from "../refusal.ts";
import { credentials } from "../state/credentials.ts";
import { appRoutes } from "./app-routes.ts";
import { logRoutes } from "./log-routes.ts";
import { orderRoutes } from "./order-routes.ts";
import { shopRoutes } from "./shop-routes.ts";

/**
 * The control interface: what a merchant, a shopper or the passing of time would do, as JSON calls with a bearer token.
 * `?shop=` names the shop; without it the call means the first one. Refused: 4xx `{"error"}`.
 */
export function controlRouter(platform: Platform): Router {
  const router = express.Router();
  router.use((request, _response, next) => {
    next(
      isController(platform, request)
        ? undefined
        : new Refusal(401, "a bearer control_token is needed"),
    );
  });
  router.use(express.json({ limit: "1mb", strict: false }));
  router.use(shopRoutes(platform), orderRoutes(platform), appRoutes(platform), logRoutes(platform));
  router.use((_request, _response, next) => next(new Refusal(404, "there is no such call")));
  router.use(refuse(platform));
  return router;
}

function isController(platform: Platform, request: Request): boolean {
  const given = Buffer.from(request.get("authorization") ?? "");
  const wanted = Buffer.from(`Bearer ${credentials(platform).controlToken}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

const httpError = z.object({ status: z.number().int().min(400).max(499), message: z.string() });

const refuse =
  (platform: Platform): ErrorRequestHandler =>
  (error, _request, response, _next) => {
    if (error instanceof ZodError) {
      response.status(422).json({ error: z.prettifyError(error) });
      return;
    }
    const known = httpError.safeParse(error); // a Refusal, or a body that express could not read
    if (known.success) {
      response.status(known.data.status).json({ error: known.data.message });
      return;
    }
    platform.log(`control call failed: ${error instanceof Error ? error.stack : error}`);
    response.status(500).json({ error: "the store failed; see its log" });
  };
