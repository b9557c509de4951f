import type { CustomerDocument } from "../../state/customer.ts";
import { globalId } from "../../state/global-id.ts";
import type { ShopDocument } from "../../state/shop.ts";
import { shopTime } from "../shop-time.ts";
import { customerAddress } from "./address.ts";

/** The customer inside an order's payload. */
export function customerInOrder(customer: CustomerDocument, shop: ShopDocument) {
  const home = customer.addresses.find((address) => address.id === customer.defaultAddressId);
  return {
    id: customer.id,
    created_at: shopTime(customer.createdAt, shop.ianaTimezone),
    updated_at: shopTime(customer.updatedAt, shop.ianaTimezone),
    first_name: customer.firstName,
    last_name: customer.lastName,
    state: customer.state.toLowerCase(),
    note: customer.note,
    verified_email: customer.verifiedEmail,
    multipass_identifier: null,
    tax_exempt: false,
    email: customer.email,
    phone: customer.phone,
    currency: shop.currencyCode,
    tax_exemptions: [],
    admin_graphql_api_id: globalId("Customer", customer.id),
    default_address: home ? customerAddress(home, customer.id, true) : null,
  };
}

/** customers/merge: `kept` has taken over everything of `deleted`. */
export function customerMerged(keptId: number, deletedId: number) {
  return {
    admin_graphql_api_customer_kept_id: globalId("Customer", keptId),
    admin_graphql_api_customer_deleted_id: globalId("Customer", deletedId),
    admin_graphql_api_job_id: null,
    status: "completed",
    errors: [],
  };
}
