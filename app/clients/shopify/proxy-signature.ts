import { createHmac } from "node:crypto";
import { z } from "zod";
import { gid, shopDomain } from "../../modules/kernel/ids.ts";
import { equalSecrets, signFor } from "../../modules/kernel/secret.ts";
import type { SignedInCustomer } from "./customer-auth.ts";

/** Older calls are not believed: an address with its signature may lie in somebody's history. */
const LIFETIME_SECONDS = 90;

/**
 * Every parameter that Shopify adds, and those of our own pages. No other is known here. Names and values are signed with
 * nothing between them, and a visitor may ask Shopify to sign any name: no value here may hold what looks like a parameter.
 */
const querySchema = z.strictObject({
  shop: z.string(),
  timestamp: z
    .string()
    .regex(/^\d{1,12}$/)
    .transform(Number),
  logged_in_customer_id: z.string().regex(/^\d*$/),
  path_prefix: z.string().regex(/^(?:\/[\w-]+)+$/),
  signature: z.string().regex(/^[0-9a-f]{64}$/),
  saved: z.enum(["", "kept", "full"]).optional(),
  who: z.enum(["me", "somebody"]).optional(),
  use: z.uuid().optional(),
  after: z.uuid().optional(),
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
 * anything between them and signed with the app's secret. Each parameter comes once and is a known one, and what is used
 * is what was signed: of one that comes twice, the signature would not say which counts. Shopify's library can do the
 * same, but loads the shop's session for it and renews its token, which a customer's page does not need. Null for
 * anything else.
 */
export function readProxyCall(
  address: string,
  { secrets, now }: { secrets: string[]; now: Date },
): ProxyCall | null {
  const parameters = [...new URL(address).searchParams];
  const once = new Map(parameters);
  if (once.size !== parameters.length) return null;
  const query = querySchema.safeParse(Object.fromEntries(once)).data;
  const shop = query && shopDomain(query.shop);
  if (!shop) return null;
  const signed = [...once].filter(([name]) => name !== "signature");
  const message = signed
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join("");
  const isSigned = secrets.some((secret) =>
    equalSecrets(query.signature, createHmac("sha256", secret).update(message).digest("hex")),
  );
  if (!isSigned) return null;
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
