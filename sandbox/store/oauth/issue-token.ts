import { randomBytes } from "node:crypto";
import { compressed } from "../install/scopes.ts";
import type { Platform } from "../platform.ts";
import type { TokenDocument } from "../state/install.ts";

const accessLifetimeSeconds = 3_600;
const onlineLifetimeSeconds = 86_400;
const refreshLifetimeSeconds = 90 * 86_400;

/** The answer to `POST /admin/oauth/access_token`. */
export interface TokenAnswer {
  access_token: string;
  scope: string;
  expires_in?: number;
  refresh_token?: string;
  refresh_token_expires_in?: number;
}

/** An offline token that never expires: still issued, but the Admin API no longer takes it from a public app. */
export function issueEndlessToken(
  platform: Platform,
  { shop, scopes }: { shop: string; scopes: string[] },
): TokenAnswer {
  const token = newToken(platform, { shop, scopes, kind: "offline" });
  return { access_token: token.id, scope: compressed(scopes).join(",") };
}

/**
 * An expiring offline token for the app in a shop. It replaces all expiring ones before it: one is active per app and
 * shop. `recovery` is the refresh token that brought it about.
 */
export function issueExpiringToken(
  platform: Platform,
  { shop, scopes, recovery }: Pick<TokenDocument, "shop" | "scopes" | "recovery">,
): TokenAnswer {
  const { tokens } = platform.data;
  for (const old of tokens.all()) {
    if (old.shop === shop && old.kind === "offline" && old.expiresAtMs !== null)
      tokens.delete(old.id);
  }
  const nowMs = platform.clock.nowMs();
  const token = newToken(platform, {
    shop,
    scopes,
    kind: "offline",
    expiresAtMs: nowMs + accessLifetimeSeconds * 1000,
    refreshToken: `shprt_${randomBytes(16).toString("hex")}`,
    refreshExpiresAtMs: nowMs + refreshLifetimeSeconds * 1000,
    recovery: recovery ?? null,
  });
  return {
    access_token: token.id,
    scope: compressed(scopes).join(","),
    expires_in: accessLifetimeSeconds,
    refresh_token: token.refreshToken ?? "",
    refresh_token_expires_in: refreshLifetimeSeconds,
  };
}

/** A token for one staff member, for a day. */
export function issueOnlineToken(
  platform: Platform,
  shop: string,
  scopes: string[],
  userId: number,
): TokenAnswer & { expires_in: number } {
  const token = newToken(platform, {
    shop,
    scopes,
    kind: "online",
    userId,
    expiresAtMs: platform.clock.nowMs() + onlineLifetimeSeconds * 1000,
  });
  return {
    access_token: token.id,
    scope: compressed(scopes).join(","),
    expires_in: onlineLifetimeSeconds - 1,
  };
}

/** Ends every token of a shop. */
export function revokeTokens(platform: Platform, shop: string): void {
  for (const token of platform.data.tokens.all()) {
    if (token.shop === shop) platform.data.tokens.delete(token.id);
  }
}

function newToken(
  platform: Platform,
  token: Pick<TokenDocument, "shop" | "scopes" | "kind"> & Partial<TokenDocument>,
): TokenDocument {
  return platform.data.tokens.put({
    expiresAtMs: null,
    refreshToken: null,
    refreshExpiresAtMs: null,
    recovery: null,
    userId: null,
    ...token,
    id: `shpat_${randomBytes(16).toString("hex")}`,
    issuedAtMs: platform.clock.nowMs(),
  });
}
