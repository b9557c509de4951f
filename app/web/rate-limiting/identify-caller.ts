import type { IncomingMessage } from "node:http";
import type { ShopDomain } from "../../modules/kernel/ids.ts";
import { readLinkAddress, readToken } from "../customer-interface/token.ts";
import { cookieSecret } from "../customer-pages/session-cookie.ts";
import type { Rate } from "../limits.ts";

/** The one whom a request is counted for. */
export type Caller =
  | {
      kind: "signed";
      rate: Extract<Rate, "customer" | "link" | "staff">;
      key: string;
      shop: string;
    }
  /** Shows a token that nobody gave out, or that has ended. */
  | { kind: "refused" }
  /** Shows a token of ours that this process has not met: it must be looked up to be told apart. */
  | { kind: "unknown_token"; shop: ShopDomain; token: string; key: string }
  | { kind: "anonymous" };

/** Checks of signatures that need no database. They say whom to count, and let nobody in. */
export interface SignatureChecks {
  /** Claims of a session token that Shopify signed for this app and that has not expired; rejects on any other. */
  decodeSessionToken(token: string): Promise<unknown>;
  /** A call through the app proxy; null when Shopify did not sign it. */
  proxyCall(address: string): { shop: ShopDomain; customerId: string | null } | null;
}

/** Tells who asks, as far as that can be told without the database. `path` is without its query. */
export async function identifyCaller(
  request: IncomingMessage,
  { path, query }: { path: string; query: URLSearchParams },
  checks: SignatureChecks,
): Promise<Caller> {
  const bearer = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
  if (path.startsWith("/proxy")) {
    const call = checks.proxyCall(`https://app.invalid${request.url ?? ""}`);
    if (!call) return { kind: "refused" };
    const { shop, customerId } = call;
    if (customerId === null) return { kind: "anonymous" };
    return { kind: "signed", rate: "customer", key: `${shop} ${customerId}`, shop };
  }
  if (path.startsWith("/api/customer/")) {
    if (!bearer) return { kind: "refused" };
    return linkOf(bearer) ?? (await signedBy(bearer, checks)) ?? { kind: "refused" };
  }
  if (path.startsWith("/t/")) return linkOf(path.split("/")[2]) ?? { kind: "anonymous" };
  if (path.startsWith("/visit/")) {
    const address = readLinkAddress(path.split("/")[2]);
    const secret = address && cookieSecret(request.headers.cookie ?? "", address.linkId);
    if (!address || !secret) return { kind: "anonymous" };
    return {
      kind: "unknown_token",
      shop: address.shop,
      token: secret,
      key: `${address.shop} ${secret}`,
    };
  }
  const token = bearer ?? query.get("id_token");
  return (token && (await signedBy(token, checks))) || { kind: "anonymous" };
}

function linkOf(text: string | undefined): Caller | null {
  const link = readToken(text);
  return link && { kind: "unknown_token", ...link, key: `${link.shop} ${link.token}` };
}

async function signedBy(
  token: string,
  { decodeSessionToken }: SignatureChecks,
): Promise<Caller | null> {
  // A token that Shopify's library refuses is a stranger's: anybody may send one, and nothing has failed.
  const claims = await decodeSessionToken(token).catch(() => null);
  if (typeof claims !== "object" || claims === null) return null;
  const { dest, sub } = claims as { dest?: unknown; sub?: unknown };
  if (typeof dest !== "string") return null;
  const shop = dest.replace(/^https:\/\//, "");
  const rate = String(sub).startsWith("gid://shopify/Customer/") ? "customer" : "staff";
  return { kind: "signed", rate, key: `${shop} ${String(sub)}`, shop };
}
