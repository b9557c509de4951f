import type { Api } from "@shopify/ui-extensions/customer-account.order-status.block.render";
import type { Prefill } from "../../shared/requests.ts";

/** The buyer as the order status page knows them; empty unless the shop granted access to customer data. */
export type BuyerSource = Partial<
  Pick<Api, "buyerIdentity" | "shippingAddress" | "billingAddress">
>;

/** Starting values for "It’s for me", from the order itself. */
export function buyerOf({
  buyerIdentity,
  shippingAddress,
  billingAddress,
}: BuyerSource): Prefill | null {
  const customer = buyerIdentity?.customer?.value;
  const address = shippingAddress?.value ?? billingAddress?.value;
  if (!customer && !address) return null;
  return {
    firstName: customer?.firstName ?? address?.firstName ?? null,
    lastName: customer?.lastName ?? address?.lastName ?? null,
    email: customer?.email ?? buyerIdentity?.email?.value ?? null,
    phone: customer?.phone ?? buyerIdentity?.phone?.value ?? address?.phone ?? null,
    // Collections are in Australia only; WA is also Washington.
    address:
      address && (address.countryCode ?? "AU") === "AU"
        ? {
            addressLine1: address.address1 ?? null,
            addressLine2: address.address2 ?? null,
            city: address.city ?? null,
            state: address.provinceCode ?? null,
            postCode: address.zip ?? null,
          }
        : null,
  };
}
