import { z } from "zod";
import { type CustomerId, gid, type ShopDomain, shopDomain } from "../../modules/kernel/ids.ts";

/** A buyer who is signed in to a shop's customer accounts. */
export interface SignedInCustomer {
  shop: ShopDomain;
  customerId: CustomerId;
}

/** Customer-account tokens name the shop with or without its scheme, and most name no issuer. One that does must agree. */
const claims = z
  .object({
    dest: z.string(),
    sub: z.string().regex(/^gid:\/\/shopify\/Customer\/\d+$/),
    aud: z.string().min(1),
    exp: z.number(),
    iss: z.string().optional(),
  })
  .refine(({ dest, iss }) => iss === undefined || hostOf(iss) === hostOf(dest));

const hostOf = (address: string) => address.replace(/^https:\/\//, "").replace(/\/.*$/, "");

/**
 * Reads a customer-account session token (`Authorization: Bearer`): signature, lifetime and audience are checked by Shopify's
 * library, which lets a token without an end pass. That the token ends, and the subject, are checked here. Null without a valid
 * token, and null for a visitor who has not signed in: such a token has no subject, and an order-status link is not a login.
 */
export type CustomerAuth = (authorization: string | null) => Promise<SignedInCustomer | null>;

/** Creates the reader of a customer account's session token. `decode` checks its signature, and rejects what Shopify did not sign. */
export function createCustomerAuth(decode: (token: string) => Promise<unknown>): CustomerAuth {
  return async (authorization) => {
    const token = /^Bearer (\S+)$/.exec(authorization ?? "")?.[1];
    if (!token) return null;
    // A token that Shopify's library refuses is a stranger's: anybody may send one, and nothing has failed.
    const payload = await decode(token).catch(() => null);
    const parsed = claims.safeParse(payload);
    if (!parsed.success) return null;
    const shop = shopDomain(parsed.data.dest.replace(/^https:\/\//, ""));
    return shop && { shop, customerId: gid("Customer", parsed.data.sub) };
  };
}
