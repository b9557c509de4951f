import { createHmac, randomUUID } from "node:crypto";
import type { Platform } from "../platform.ts";
import { mintAdminToken } from "../session-tokens/mint.ts";
import { signingSecret } from "../state/credentials.ts";
import type { ShopDocument } from "../state/shop.ts";

/** `host`: where in the admin the app is shown, as the admin encodes it. */
const adminHost = (shop: ShopDocument): string =>
  Buffer.from(`admin.shopify.com/store/${shop.id.replace(/\.myshopify\.com$/, "")}`)
    .toString("base64")
    .replaceAll("=", "");

/** The query with which the admin opens a page of the app in its frame. */
export async function launchQuery(
  platform: Platform,
  shop: ShopDocument,
): Promise<Record<string, string>> {
  const parameters: Record<string, string> = {
    embedded: "1",
    host: adminHost(shop),
    id_token: await mintAdminToken(platform, shop),
    locale: "en",
    session: createHmac("sha256", shop.id).update(randomUUID()).digest("hex"),
    shop: shop.id,
    timestamp: String(Math.floor(platform.clock.wallMs() / 1000)),
  };
  return { ...parameters, hmac: launchHmac(platform, parameters) };
}

/** Hex HMAC-SHA256 over the sorted query, as in Shopify's OAuth and admin links. */
function launchHmac(platform: Platform, parameters: Record<string, string>): string {
  const query = Object.entries(parameters)
    .sort(([left], [right]) => left.localeCompare(right))
    .map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
    .join("&");
  return createHmac("sha256", signingSecret(platform)).update(query).digest("hex");
}
