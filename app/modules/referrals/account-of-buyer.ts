import type { CustomerAccounts, Shop } from "../shops/shop.ts";
import type { ReferralRequest } from "./request.ts";
import type { Tenant } from "./tenant.ts";

/**
 * The kind of account in which the buyer of a unit finds it at the store; null where there is none. An account asks under the store's
 * present name alone: a store with two names shows there nothing of the other one, and only links open that (docs/decisions/0165).
 */
export async function accountOfBuyer(
  tenant: Pick<Tenant, "shops">,
  { customerId }: Pick<ReferralRequest, "customerId">,
  { customerAccounts, storeId }: Pick<Shop, "customerAccounts" | "storeId">,
): Promise<CustomerAccounts | null> {
  // Shopify makes a customer of every guest, and signs them in by a code that it mails to the same address.
  if (customerAccounts === "new" && customerId === null) return null;
  return storeId !== null && (await tenant.shops.hasOtherName()) ? null : customerAccounts;
}

/** Whether only a link of ours takes a reader to the test. Everybody else has the order's page at the store, behind its sign-in. */
export const needsLink = (
  account: CustomerAccounts | null,
  buyer: { statusUrl: string | null } | null,
): boolean => account !== "new" || !buyer?.statusUrl;

/** Whether the owner of a unit needs a link to it. An invited patient is no customer of the store. */
export async function ownerNeedsLink(
  tenant: Pick<Tenant, "shops" | "orders">,
  { owner, orderId, customerId }: Pick<ReferralRequest, "owner" | "orderId" | "customerId">,
  settings: Pick<Shop, "customerAccounts" | "storeId">,
): Promise<boolean> {
  if (owner === "patient") return true;
  const account = await accountOfBuyer(tenant, { customerId }, settings);
  return needsLink(account, await tenant.orders.buyerOf(orderId));
}
