import { createHmac } from "node:crypto";
import { z } from "zod";
import { gid, shopDomain } from "../../modules/kernel/ids.ts";
import { equalSecrets, signFor } from "../../modules/kernel/secret.ts";
import type { SignedInCustomer } from "./customer-auth.ts";

/** Older calls are not believed: an address with its signature may lie in somebody's history. */
const LIFETIME_SECONDS = 90;

const querySchema = z.object({
  shop: z.string(),
  timestamp: z.coerce.number().int(),
  logged_in_customer_id: z.string().regex(/^\d*$/),
  path_prefix: z.string().regex(/^(?:\/[\w-]+)+$/),
});

export interface ProxyCall {
  shop: SignedInCustomer["shop"];
  /** Null while nobody is signed in to the shop. */
  customerId: SignedInCustomer["customerId"] | null;
  /** Where the shop's visitors see these pages, for example `/apps/pathway`. */
  prefix: string;
}

/**
 * Reads a call that came through Shopify's app proxy: all parameters but the signature, sorted, joined without
 * anything between them and signed with the app's secret. Shopify's library can do the same, but loads the
 * shop's session for it and renews its token, which a shopper's page does not need. Null for anything else.
 */
export function readProxyCall(
  address: string,
  { secrets, now }: { secrets: string[]; now: Date },
): ProxyCall | null {
  const { searchParams } = new URL(address);
  const given = searchParams.get("signature") ?? "";
  const names = [...new Set(searchParams.keys())].filter((name) => name !== "signature").sort();
  const message = names.map((name) => `${name}=${searchParams.getAll(name).join(",")}`).join("");
  const isSigned = secrets.some((secret) =>
    equalSecrets(given, createHmac("sha256", secret).update(message).digest("hex")),
  );
  const query = querySchema.safeParse(Object.fromEntries(searchParams)).data;
  const shop = query && shopDomain(query.shop);
  if (!isSigned || !shop) return null;
  if (Math.abs(now.getTime() / 1000 - query.timestamp) > LIFETIME_SECONDS) return null;
  const { logged_in_customer_id: id, path_prefix: prefix } = query;
  return { shop, customerId: id === "" ? null : gid("Customer", id), prefix };
}

/**
 * Returns the proof that a form came from a page of this customer's own. Shopify signs every call, also one that
 * another site's form made a signed-in customer's browser send.
 */
export function proxyFormToken(secret: string, { shop, customerId }: SignedInCustomer): string {
  return signFor("form", secret, `${shop} ${customerId}`).toString("base64url");
}
