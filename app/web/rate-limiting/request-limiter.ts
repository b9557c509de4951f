import type { IncomingMessage, ServerResponse } from "node:http";
import type { BlockList } from "node:net";
import { type ShopDomain, shopDomain } from "../../modules/kernel/ids.ts";
import { requestRefusals } from "../../platform/counters.ts";
import type { Logger } from "../../platform/logger.ts";
import { INTERFACE } from "../customer-interface/cors.ts";
import { ANONYMOUS_PAGES, type Rate, REFUSALS, TOKEN_LOOKUPS } from "../limits.ts";
import { clientAddress, isForwarded } from "./client-address.ts";
import { type ConcurrencyLimit, createConcurrencyLimit } from "./concurrency-limit.ts";
import { identifyCaller, type SignatureChecks } from "./identify-caller.ts";
import { createRateLimits } from "./rate-limits.ts";
import { createThrottle } from "./throttle.ts";
import { answerTooMany } from "./too-many-requests.ts";

export interface RequestLimiterOptions extends SignatureChecks {
  /** Whether a mailed link or a visit has this secret. The one check here that asks the database. */
  knowsToken(token: { shop: ShopDomain; token: string }): Promise<boolean>;
  trustedProxies: BlockList;
  logger: Logger;
  /** Told of each call whose token or signature is not good, with the shop that it named. */
  refusals: {
    note(place: "proxy" | "link" | "customer_token", shop?: ShopDomain | null): void;
  };
}

type TokenCaller = { shop: ShopDomain; token: string; key: string };

type Verdict =
  | { kind: "pass"; leave?: () => void }
  | { kind: "refused" }
  | { kind: "too_many"; afterMs: number };

/**
 * Stands before every page and call. Signed requests are counted for whoever signed them, anonymous ones for their address.
 * Nothing here lets anybody in: each route still checks all that it needs (docs/decisions/0044).
 */
export function createRequestLimiter(options: RequestLimiterOptions) {
  const { trustedProxies, logger } = options;
  const rates = createRateLimits();
  const refusals = createThrottle(REFUSALS);
  // A flood of made-up pages must not keep calls from being looked up.
  const lookups = {
    calls: createConcurrencyLimit(TOKEN_LOOKUPS),
    pages: createConcurrencyLimit(TOKEN_LOOKUPS),
  };
  const looks = new Map<string, Promise<boolean | null>>();
  const pages = createConcurrencyLimit(ANONYMOUS_PAGES);
  const known = new Set<string>();
  let hasWarned = false;

  async function first(...asked: [Rate, string][]): Promise<Verdict> {
    for (const [rate, key] of asked) {
      const afterMs = await rates.take(rate, key);
      if (afterMs !== null) return { kind: "too_many", afterMs };
    }
    return { kind: "pass" };
  }

  async function anonymously(request: IncomingMessage): Promise<Verdict> {
    const verdict = await first(
      ["address", clientAddress(request, trustedProxies)],
      ["everyone", ""],
    );
    if (verdict.kind !== "pass") return verdict;
    const leave = await pages.enter();
    return leave ? { kind: "pass", leave } : { kind: "too_many", afterMs: 1_000 };
  }

  /** Null when so many are looked up already that nobody can say. Calls for one token share one look. */
  function isToken(asker: TokenCaller, limit: ConcurrencyLimit): Promise<boolean | null> {
    const found = looks.get(asker.key) ?? look(asker, limit).finally(() => looks.delete(asker.key));
    looks.set(asker.key, found);
    return found;
  }

  async function look(asker: TokenCaller, limit: ConcurrencyLimit): Promise<boolean | null> {
    const leave = await limit.enter();
    if (!leave) return null;
    try {
      if (!(await options.knowsToken(asker))) return false;
      if (known.size >= TOKEN_LOOKUPS.remembered) known.clear();
      known.add(asker.key);
      return true;
    } finally {
      leave();
    }
  }

  async function judge(request: IncomingMessage, path: string, query: URLSearchParams) {
    if (costsNothing(request)) return first(["assets", clientAddress(request, trustedProxies)]);
    const asker = await identifyCaller(request, { path, query }, options);
    switch (asker.kind) {
      case "signed":
        return first([asker.rate, asker.key], ["shop", asker.shop]);
      case "refused":
        if (path.startsWith("/proxy"))
          options.refusals.note("proxy", shopDomain(query.get("shop") ?? ""));
        // A call that showed nothing only has to sign in.
        else if (request.headers.authorization) options.refusals.note("customer_token");
        return { kind: "refused" } as const;
      case "anonymous":
        return anonymously(request);
      case "unknown_token": {
        const signed = () => first(["link", asker.key], ["shop", asker.shop]);
        if (known.has(asker.key)) return signed();
        if (path.startsWith("/api/")) {
          const found = await isToken(asker, lookups.calls);
          if (found === null) return { kind: "too_many", afterMs: 1_000 } as const;
          if (!found) options.refusals.note("link", asker.shop);
          return found ? signed() : ({ kind: "refused" } as const);
        }
        // A page behind a link: looked up only when its address has used up what anybody may have.
        const verdict = await anonymously(request);
        return verdict.kind === "too_many" && (await isToken(asker, lookups.pages))
          ? signed()
          : verdict;
      }
    }
  }

  return async (
    request: IncomingMessage,
    response: ServerResponse,
    next: (error?: unknown) => void,
  ): Promise<void> => {
    // Read as the pages read it: "//x/assets/y" is no file of ours.
    const asked = URL.parse(`http://app.invalid${request.url}`) ?? NO_ADDRESS;
    const { pathname: path, searchParams: query } = asked;
    if (!hasWarned && isForwarded(request, trustedProxies)) {
      hasWarned = true;
      logger.warn(
        "requests come through a proxy that PATHWAY_TRUSTED_PROXIES does not name: all its visitors share one limit",
      );
    }
    const verdict = await judge(request, path, query);
    if (verdict.kind === "pass") {
      const { leave } = verdict;
      // The caller may have gone while waiting: nobody would end its place then.
      if (leave && response.closed) return leave();
      if (leave) response.once("close", leave);
      return next();
    }
    requestRefusals.add({ reason: verdict.kind });
    if (!(await refusals.turn())) {
      request.socket.destroy();
      return;
    }
    if (verdict.kind === "too_many") answerTooMany(response, { path, afterMs: verdict.afterMs });
    else answerRefused(response, path);
  };
}

/**
 * Files, the list of them, and questions before a call of the customer interface cost next to nothing. They are told by the address as
 * it came: one that leads there by "/x/../" is answered by a page.
 */
const costsNothing = ({ method, url = "" }: IncomingMessage): boolean =>
  /^\/(assets\/|__manifest(\?|$))/.test(url) || (method === "OPTIONS" && url.startsWith(INTERFACE));

/** Counted as a page, for there is none behind it. */
const NO_ADDRESS = new URL("http://app.invalid/");

/** The same answers as the routes give to a call whose token or signature is not good. */
function answerRefused(response: ServerResponse, path: string): void {
  if (path.startsWith("/proxy")) {
    response.writeHead(404, { "content-type": "text/plain; charset=utf-8" });
    response.end("There is nothing here.");
    return;
  }
  response.writeHead(401, {
    "content-type": "application/json",
    "access-control-allow-origin": "*",
  });
  response.end(JSON.stringify({ error: "Sign in to your account first." }));
}
