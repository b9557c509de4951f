import "@shopify/shopify-app-remix/adapters/node";
import {
  HttpResponseError,
  LogSeverity,
  RequestedTokenType,
  type Session,
  shopifyApi,
} from "@shopify/shopify-api";
import { AppDistribution, shopifyApp } from "@shopify/shopify-app-remix/server";
import { z } from "zod";
import type { ShopDomain } from "../../modules/kernel/ids.ts";
import { shopDomain } from "../../modules/kernel/ids.ts";
import type { AskWhoItIs } from "../../modules/shops/identify-staff.ts";
import type { SignIn } from "../../modules/shops/store-doubt.ts";
import { appRefused } from "../../platform/counters.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Sealers } from "../../platform/encryption/sealers.ts";
import type { Logger } from "../../platform/logger.ts";
import { tolerate } from "../../platform/tolerate.ts";
import { API_VERSION } from "./api-version.ts";
import { isOfTheApp } from "./app-refusal.ts";
import { SHOP_QUERY, shopAnswerSchema } from "./operations/store-access.ts";
import { callShopify, sendOnce } from "./platform-fetch.ts";
import { createSessionStorage, type RefreshSession } from "./session-storage.ts";

export interface ShopifyOptions {
  database: Database;
  sealers: Sealers;
  logger: Logger;
  appUrl: string;
  apiKey: string;
  apiSecret: string;
  /** Where https://{shop} is reached, when not there. */
  apiOrigin: string | undefined;
  /**
   * Called after each token exchange, before its session is stored: the merchant has opened the app. `storeId` is Shopify's id of the
   * store whose session it is; null where Shopify did not tell.
   */
  onSignedIn: (
    shop: ShopDomain,
    signedIn: { scope: string; storeId: string | null },
  ) => Promise<SignIn>;
}

/**
 * Asks Shopify for the member of staff behind a session token; null when it knows nobody of that id. The token that
 * comes with the answer is for that person's own rights in the store. It is asked which store that is, because the shop's own may be
 * of one that had the domain before, and is thrown away: Pathway works by the shop's.
 */
export type WhoIs = (shop: ShopDomain, sessionToken: string) => ReturnType<AskWhoItIs>;

export type ShopifyApp = ReturnType<typeof createShopifyApp>["app"];

/** Sets up Shopify's own library: embedded app, token exchange, expiring offline tokens, sealed sessions. */
export function createShopifyApp(options: ShopifyOptions) {
  const { database, sealers, logger, appUrl, apiKey, apiSecret: apiSecretKey } = options;
  callShopify(options.apiOrigin);
  const log = {
    level: LogSeverity.Warning,
    log: async (severity: LogSeverity, message: string) => {
      // The library's messages can hold tokens in their context; its first line does not.
      logger[severity === LogSeverity.Error ? "error" : "warn"](
        { from: "shopify" },
        firstLine(message),
      );
    },
  };
  // The library's own instance is private to it; the refresh needs one before the storage exists.
  const api = shopifyApi({
    apiKey,
    apiSecretKey,
    apiVersion: API_VERSION,
    hostName: new URL(appUrl).host,
    isEmbeddedApp: true,
    logger: log,
  });
  const refresh: RefreshSession = async (shop, refreshToken) => {
    try {
      // It works once: where it arrived twice, Shopify would refuse what it had just taken.
      const renewal = () => api.auth.refreshToken({ shop, refreshToken });
      const { session } = await sendOnce({ wasSent: false }, renewal);
      // Something else answered in Shopify's place. Stored, it would end the shop's access until the merchant comes.
      if (!session.accessToken) throw new Error("the answer to a renewal has no token");
      return session;
    } catch (error) {
      if (!(error instanceof HttpResponseError)) throw error;
      if (isOfTheApp(error)) {
        appRefused.add({});
        logger.error(
          { shop, code: "app_refused" },
          "Shopify refuses the app's client id or secret",
        );
        throw error;
      }
      if (![400, 401, 403].includes(error.response.code)) throw error;
      if (isOfTheToken(error)) return null;
      const unknown = otherFaults.safeParse(error.response.body).data?.error;
      if (unknown) {
        logger.error({ shop, code: unknown }, "Shopify refuses a token for a reason of its own");
        return "unexplained";
      }
      // A firewall or a proxy answered: nobody knows whether the token arrived, and Shopify refused nothing.
      throw new Error("the answer to a renewal is not Shopify's", { cause: error });
    }
  };
  const storeOf = async (session: Session): Promise<string> => {
    const { data } = await new api.clients.Graphql({ session }).request(SHOP_QUERY);
    return shopAnswerSchema.parse(data).shop.id;
  };
  const whoIs: WhoIs = async (shop, sessionToken) => {
    try {
      const requestedTokenType = RequestedTokenType.OnlineAccessToken;
      const { session } = await api.auth.tokenExchange({ shop, sessionToken, requestedTokenType });
      const user = session.onlineAccessInfo?.associated_user;
      if (!user) return null;
      const name = `${user.first_name ?? ""} ${user.last_name ?? ""}`.trim();
      const known = { id: String(user.id), name: name || user.email };
      const storeId = await storeOf(session).catch(tolerate(logger, "staff.store"));
      return { ...known, isAccountOwner: user.account_owner, storeId: storeId ?? undefined };
    } catch (error) {
      if (error instanceof HttpResponseError && error.response.code === 400) return null;
      throw error;
    }
  };
  const sessions = createSessionStorage({
    database,
    sealers,
    logger,
    refresh,
    beforeStored: async (session) => {
      const shop = shopDomain(session.shop);
      if (!shop) return false;
      const storeId = (await storeOf(session).catch(tolerate(logger, "shop.store"))) ?? null;
      const signIn = await options.onSignedIn(shop, { scope: session.scope ?? "", storeId });
      if (signIn === "unknown") throw new Response(null, { status: 503 });
      return signIn === "kept";
    },
  });
  const app = shopifyApp({
    apiKey,
    apiSecretKey,
    appUrl,
    apiVersion: API_VERSION,
    distribution: AppDistribution.AppStore,
    sessionStorage: sessions,
    logger: log,
    future: { unstable_newEmbeddedAuthStrategy: true, expiringOfflineAccessTokens: true },
  });
  return {
    app,
    sessions,
    whoIs,
    /** Checks a session token's signature, lifetime and audience; rejects when one of them is wrong. */
    decodeSessionToken: (token: string): Promise<unknown> => api.session.decodeSessionToken(token),
  };
}

/** As OAuth names it (RFC 6749, 5.2). Shopify answers 401 `invalid_request` to a refresh token that it takes no more. */
const tokenFaults = z.object({
  error: z.enum(["invalid_grant", "invalid_request", "invalid_token", "invalid_subject_token"]),
});

/** Another code in OAuth's form. */
const otherFaults = z.object({ error: z.string().regex(/^[a-z]+(_[a-z]+){1,8}$/) });

/** Whether Shopify itself refused the token. Other bodies come from whatever stands between. */
const isOfTheToken = ({ response }: HttpResponseError): boolean =>
  tokenFaults.safeParse(response.body).success;

function firstLine(message: string): string {
  return message.split(/[\n|]/)[0]?.slice(0, 200) ?? "";
}
