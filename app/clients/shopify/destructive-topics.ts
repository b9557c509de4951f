import { z } from "zod";
import { gid, type OrderId } from "../../modules/kernel/ids.ts";
import type { StoreMessage } from "../../modules/orders/store-message.ts";

/**
 * A number of Shopify's, whole and as long as any of theirs. A person with a former secret can sign what they like: an id that is
 * none makes a payload unreadable, and must not be found to be none, again and again, by what acts on it.
 */
export const id = z.union([z.int().positive(), z.string().regex(/^\d{1,20}$/)]).transform(String);
const gidOfCustomer = z.string().regex(/^gid:\/\/shopify\/Customer\/\d{1,20}$/);
const text = z.string().nullable();

/** The shop that asks, as the three privacy topics name it. */
const asking = { shop_id: id, shop_domain: z.string() };
const customer = z.strictObject({
  id: id.nullish(),
  email: text.optional(),
  phone: text.optional(),
});

const dataRequest = z.strictObject({
  ...asking,
  customer: customer.nullable(),
  orders_requested: z.array(id),
  data_request: z.strictObject({ id }),
});
const redaction = z.strictObject({
  ...asking,
  customer: customer.nullable(),
  orders_to_redact: z.array(id),
});
const shopRedaction = z.strictObject(asking);
const merge = z.strictObject({
  admin_graphql_api_customer_kept_id: gidOfCustomer,
  admin_graphql_api_customer_deleted_id: gidOfCustomer,
  admin_graphql_api_job_id: text,
  status: z.string(),
  errors: z.array(z.unknown()),
});
/** The shop's own object. Shopify adds fields to it, so only those are named that no other topic's object has. */
const shopObject = z.looseObject({
  id,
  // Null in the published example, never in a delivery: such a message is refused (app/modules/orders/message-refusal.ts).
  myshopify_domain: text,
  domain: text,
  shop_owner: z.string(),
  plan_name: text,
  plan_display_name: text,
  iana_timezone: text,
  money_format: z.string(),
  primary_locale: z.string(),
});

/**
 * Topics that end, destroy, hand out or join something. The signature covers the body and not the topic, so each
 * body is read by a schema that no other topic's body passes. `statedShop` is the shop that the body names.
 */
export const DESTRUCTIVE_READERS: Record<string, (payload: unknown) => StoreMessage> = {
  "customers/merge": (payload) => {
    const merged = merge.parse(payload);
    // The topic reports merges that did not happen as well.
    if (merged.status === "failed") return { kind: "noted" };
    return {
      kind: "customer_merged",
      from: gid("Customer", merged.admin_graphql_api_customer_deleted_id),
      into: gid("Customer", merged.admin_graphql_api_customer_kept_id),
    };
  },
  "app/uninstalled": (payload) => ({
    kind: "uninstalled",
    statedShop: shopObject.parse(payload).myshopify_domain,
  }),
  "customers/data_request": (payload) => {
    const asked = dataRequest.parse(payload);
    return {
      kind: "customer_data_requested",
      statedShop: asked.shop_domain,
      ...concerning(asked.customer?.id, asked.orders_requested),
    };
  },
  "customers/redact": (payload) => {
    const asked = redaction.parse(payload);
    return {
      kind: "customer_redacted",
      statedShop: asked.shop_domain,
      ...concerning(asked.customer?.id, asked.orders_to_redact),
    };
  },
  "shop/redact": (payload) => {
    const asked = shopRedaction.parse(payload);
    return {
      kind: "shop_redacted",
      statedShop: asked.shop_domain,
      statedStoreId: `gid://shopify/Shop/${asked.shop_id}`,
    };
  },
};

function concerning(customerId: string | null | undefined, orderIds: string[]) {
  return {
    customerId: customerId == null ? null : gid("Customer", customerId),
    orderIds: orderIds.map((one): OrderId => gid("Order", one)),
  };
}
