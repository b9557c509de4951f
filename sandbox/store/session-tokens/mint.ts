import { randomUUID } from "node:crypto";
import { SignJWT } from "jose";
import type { Platform } from "../platform.ts";
import { credentials, signingSecret } from "../state/credentials.ts";
import { globalId } from "../state/global-id.ts";
import type { ShopDocument } from "../state/shop.ts";

const adminLifetimeSeconds = 60;
const customerLifetimeSeconds = 300;

export interface AdminTokenOptions {
  lifetimeSeconds?: number | undefined;
  /** Who is looking: the owner of the account unless another member of staff is named. */
  staffId?: number | undefined;
}

/**
 * The token that App Bridge hands out in the admin: who is looking at which shop, for one minute.
 * Stamped with the machine's time, by which the app checks it, even when the store's clock was moved.
 */
export function mintAdminToken(
  platform: Platform,
  shop: ShopDocument,
  { lifetimeSeconds = adminLifetimeSeconds, staffId = shop.staff.id }: AdminTokenOptions = {},
): Promise<string> {
  return sign(platform, lifetimeSeconds, {
    iss: `https://${shop.id}/admin`,
    dest: `https://${shop.id}`,
    sub: String(staffId),
    sid: randomUUID(),
  });
}

/**
 * The token of a customer-account extension, for five minutes. `sub` is there only for a signed-in customer whose id the
 * app may see; without it the bearer merely has the order's status link.
 */
export function mintCustomerToken(
  platform: Platform,
  shop: ShopDocument,
  customerId: number | null,
  lifetimeSeconds = customerLifetimeSeconds,
): Promise<string> {
  const maySeeCustomers = platform.approval.customerData;
  return sign(platform, lifetimeSeconds, {
    dest: shop.id,
    ...(customerId !== null && maySeeCustomers ? { sub: globalId("Customer", customerId) } : {}),
  });
}

function sign(
  platform: Platform,
  lifetimeSeconds: number,
  claims: Record<string, string>,
): Promise<string> {
  const nowSeconds = Math.floor(platform.clock.wallMs() / 1000);
  return new SignJWT({ ...claims, jti: randomUUID() })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setAudience(credentials(platform).apiKey)
    .setIssuedAt(nowSeconds)
    .setNotBefore(nowSeconds)
    .setExpirationTime(nowSeconds + lifetimeSeconds)
    .sign(new TextEncoder().encode(signingSecret(platform)));
}
