import type { Tenant } from "../../privacy/tenant.ts";
import type { ReferralRequest } from "../../referrals/request.ts";
import type { CustomerAccounts, Shop } from "../../shops/shop.ts";

/**
 * The kind of account in which the buyer of a unit finds it at the store; null where there is none. An account asks under the store's
 * present name alone: a store with two names shows there nothing of the other one, and only links open that (docs/decisions/0165).
 */
export async function accountOfBuyer(
  tenant: Tenant,
  { customerId }: Pick<ReferralRequest, "customerId">,
  { customerAccounts, storeId }: Pick<Shop, "customerAccounts" | "storeId">,
): Promise<CustomerAccounts | null> {
  // Shopify makes a customer of every guest, and signs them in by a code that it mails to the same address.
  if (customerAccounts === "new" && customerId === null) return null;
  return storeId !== null && (await tenant.shops.hasOtherName()) ? null : customerAccounts;
}
