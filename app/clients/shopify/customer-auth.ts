import { z } from "zod";
import { type CustomerId, gid, type ShopDomain, shopDomain } from "../../modules/kernel/ids.ts";

/** A shopper who is signed in to a shop's customer accounts. */
export interface SignedInCustomer {
  shop: ShopDomain;
  customerId: CustomerId;
}

const claims = z.object({
  dest: z.string(),
  sub: z.string().regex(/^gid:\/\/shopify\/Customer\/\d+$/),
});

/**
 * Reads a customer-account session token (`Authorization: Bearer`): signature, lifetime and audience are
 * checked by Shopify's library, the subject here. Null without a valid token, and null for a visitor who has
 * not signed in: such a token has no subject, and an order-status link is not a login.
 */
export type CustomerAuth = (authorization: string | null) => Promise<SignedInCustomer | null>;

export function createCustomerAuth(decode: (token: string) => Promise<unknown>): CustomerAuth {
  return async (authorization) => {
    const token = /^Bearer (\S+)$/.exec(authorization ?? "")?.[1];
    if (!token) return null;
    // A token that Shopify's library refuses is a stranger's: anybody may send one, and nothing has failed.
    const payload = await decode(token).catch(() => null);
    const parsed = claims.safeParse(payload);
    if (!parsed.success) return null;
    // Customer-account tokens name the shop with or without its scheme.
    const shop = shopDomain(parsed.data.dest.replace(/^https:\/\//, ""));
    return shop && { shop, customerId: gid("Customer", parsed.data.sub) };
  };
}
