import { setTimeout as delay } from "node:timers/promises";
import { type AppLoadContext, data, redirect } from "@remix-run/node";
import type { Pool } from "pg";
import { addBounceHeaders } from "./clients/shopify/document-headers.ts";
import type { ShopifyApp } from "./clients/shopify/shopify-app.ts";
import {
  carriesShoppersToken,
  isStaffs,
  sessionTokenOf,
  shopOfToken,
} from "./clients/shopify/staff-token.ts";
import type { App } from "./composition.server.ts";
import { type ShopDomain, shopDomain } from "./modules/kernel/ids.ts";
import { OTHER_STORE } from "./modules/reports/other-store-words.ts";
import { ASK_UNKNOWN_AGAIN_MS, identifyStaff } from "./modules/shops/identify-staff.ts";
import { describeUnknownStaff } from "./modules/shops/staff-words.ts";
import { tolerate } from "./platform/tolerate.ts";
import { type WebApp, webApp } from "./web-app.ts";

type AdminContext = Awaited<ReturnType<ShopifyApp["authenticate"]["admin"]>>;

/** A signed-in member of staff: `actor` is how the timeline and the access log name them. */
type SignedIn = AdminContext & { shop: ShopDomain; actor: `staff:${string}` };

declare module "@remix-run/server-runtime" {
  /** Loaders and actions get the composed application and the signed-in merchant. */
  interface AppLoadContext {
    app: WebApp;
    /**
     * Signs the merchant in (session token of the Shopify admin) or throws the response that makes the
     * browser fetch one. Once for a request, however many loaders ask: parent and child run side by side,
     * and would each exchange the token.
     */
    merchant(request: Request): Promise<SignedIn>;
  }
}

/** Made anew for each request. */
export function createLoadContext(app: App): AppLoadContext {
  let signedIn: Promise<SignedIn> | undefined;
  return {
    app: webApp(app),
    merchant(request) {
      signedIn ??= signIn(app, request).catch((error: unknown) => explainOutage(app, error));
      return signedIn;
    },
  };
}

/** Every page of the merchant's signs in first, and meets a database that is away there. */
async function explainOutage({ logger, database }: App, error: unknown): Promise<never> {
  if (error instanceof Response || (await isReachable(database.pool))) throw error;
  logger.error({ err: error }, "a page could not be shown: the database does not answer");
  throw data(null, { status: 503 });
}

async function isReachable(pool: Pool): Promise<boolean> {
  try {
    await pool.query("SELECT 1");
    return true;
  } catch {
    // The answer is what was asked for; the failure that led here is logged.
    return false;
  }
}

async function signIn(app: App, request: Request): Promise<SignedIn> {
  const token = sessionTokenOf(request);
  try {
    return await recogniseStaff(app, request, token);
  } catch (error) {
    // A visit without a token only has to fetch one, and a failure of ours refuses nobody.
    const isRefusal = error instanceof Response && error.status < 500;
    if (token && isRefusal) app.refusals.note("staff_token", shopOfToken(token));
    // The library answers 500 when Shopify does not exchange the token: later it may.
    if (error instanceof Response && error.status >= 500 && !error.headers.has("Retry-After")) {
      app.logger.warn(
        { shop: token && shopOfToken(token), status: error.status },
        "a page could not be shown: Shopify exchanges no token",
      );
      throw new Response(null, { status: 503, headers: { "Retry-After": "5" } });
    }
    if (error instanceof Response && isPage(error))
      addBounceHeaders(error.headers, request, webApp(app).embedding);
    throw error;
  }
}

/** The library writes no page but the one that fetches a session token. */
const isPage = ({ headers }: Response): boolean =>
  headers.get("content-type")?.startsWith("text/html") ?? false;

async function recogniseStaff(app: App, request: Request, token: string | null): Promise<SignedIn> {
  if (carriesShoppersToken(request)) throw new Response(null, { status: 401 });
  if (isOpenedDirectly(request)) throw redirect("/");
  const shopify = await app.shopify.app();
  let admin = await shopify.authenticate.admin(request);
  // Takes what the library has verified, wherever in the call the library found it.
  if (!isStaffs(admin.sessionToken)) throw new Response(null, { status: 401 });
  const shop = shopDomain(admin.session.shop);
  if (!shop) throw new Response(null, { status: 400 });
  if (isOpening(request) && (await isShutOut(app, shop)))
    admin = await shopify.authenticate.admin(request);
  const actor = `staff:${admin.sessionToken?.sub ?? "unknown"}` as const;
  const ask = async () => (token ? app.shopify.whoIs(shop, token) : null);
  const staffOf = await identifyStaff(app.ports, { shop, staff: actor, ask }, app.staffLookups);
  if (staffOf === "of_other_store") throw admin.cors(closedToOtherStore());
  if (staffOf === "unknown") throw admin.cors(closedToUnknown());
  return { ...admin, shop, actor };
}

/** Whether the admin loads the app's page itself. What the page asks for afterwards carries its token in a header. */
const isOpening = (request: Request): boolean => !request.headers.has("authorization");

/** A page opens no later than this because of what Shopify is asked first. */
const OPENING_MS = 2_000;

/**
 * Whether Shopify takes the stored token no more, though it has not ended. So it is when the app was taken off and put on again, and
 * the message that it was off is late or lost: the page would open as if all were well, and be closed before that message ends an
 * install that nobody begins again. Signing in once more exchanges a new token, which does. Says no where Shopify does not
 * tell in time.
 */
async function isShutOut({ ports, logger }: App, shop: ShopDomain): Promise<boolean> {
  const late = delay(OPENING_MS, undefined, { ref: false });
  const answer = ports.storeAccess.check(shop).catch(tolerate(logger, "opening.check"));
  return (await Promise.race([answer, late])) === "refused";
}

/** Tells staff of another store that has a known domain now: a page shows its sentences, and the block of an order its error. */
function closedToOtherStore(): Response {
  const headers = { "Cache-Control": "private, no-store" };
  return Response.json({ error: OTHER_STORE.title, ...OTHER_STORE }, { status: 403, headers });
}

/** Tells somebody whom Shopify has not told about to come again, which their page does by itself. */
function closedToUnknown(): Response {
  const words = describeUnknownStaff();
  const againInS = Math.ceil(ASK_UNKNOWN_AGAIN_MS / 1_000);
  const headers = { "Cache-Control": "private, no-store", "Retry-After": String(againInS) };
  return Response.json({ error: words.title, ...words, againInS }, { status: 503, headers });
}

/** Shopify names the shop in every address that it opens, and App Bridge sends a token with everything else. */
const isOpenedDirectly = (request: Request): boolean =>
  request.method === "GET" &&
  !request.headers.has("authorization") &&
  !new URL(request.url).searchParams.has("shop");
