import { z } from "zod";
import { gid } from "../../modules/kernel/ids.ts";
import type { StoreMessage, StoreMessageReader } from "../../modules/orders/store-message.ts";
import { DESTRUCTIVE_READERS } from "./destructive-topics.ts";

const id = z.union([z.number().positive(), z.string().regex(/^\d+$/)]).transform(String);
const gidText = z.string().regex(/^gid:\/\/shopify\/\w+\/\d+$/);

const order = z.object({ id, admin_graphql_api_id: gidText.nullish() });
const product = z.object({ id });
const refund = z.object({ order_id: id });
const assessed = z.object({
  order_id: id.nullish(),
  admin_graphql_api_order_id: gidText.nullish(),
});
const scopesUpdate = z.object({ current: z.array(z.string()) });
const edit = z.object({ order_edit: z.object({ order_id: id }) });

/** Topic, as in X-Shopify-Topic → what a message under it means. */
const READERS: Record<string, (payload: unknown) => StoreMessage> = {
  "orders/paid": (payload) => wholeOrder(payload),
  "orders/updated": (payload) => wholeOrder(payload),
  "orders/cancelled": (payload) => wholeOrder(payload),
  "orders/delete": (payload) => wholeOrder(payload),
  "orders/edited": (payload) => orderChanged(edit.parse(payload).order_edit.order_id),
  "refunds/create": (payload) => orderChanged(refund.parse(payload).order_id),
  "orders/risk_assessment_changed": (payload) => assessment(payload),
  "products/create": (payload) => productChanged(payload),
  "products/update": (payload) => productChanged(payload),
  "products/delete": (payload) => productChanged(payload),
  "app/scopes_update": (payload) => {
    // Which ones is asked of Shopify: messages come late and in any order.
    scopesUpdate.parse(payload);
    return { kind: "scopes_changed" };
  },
  ...DESTRUCTIVE_READERS,
};

/** Topics that mean something to Pathway. */
export const READ_TOPICS = Object.keys(READERS);

/**
 * Reads a webhook's payload as far as Pathway acts on it: whom or what it is about. Everything else is read
 * afresh through the Admin API. A topic without a reader is noted; a payload that does not fit is unreadable.
 */
export const readWebhook: StoreMessageReader = (topic, body) => {
  // A header's text must not find what every object inherits.
  const reader = Object.hasOwn(READERS, topic) ? READERS[topic] : undefined;
  if (!reader) return { kind: "noted" };
  try {
    return reader(parseExactly(body.toString("utf8")));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return { kind: "unreadable" };
    throw error;
  }
};

function wholeOrder(payload: unknown): StoreMessage {
  const { id: number, admin_graphql_api_id } = order.parse(payload);
  return orderChanged(admin_graphql_api_id ?? number);
}

/** Shopify's published example names no order; there is nothing to do about one. */
function assessment(payload: unknown): StoreMessage {
  const { order_id: number, admin_graphql_api_order_id } = assessed.parse(payload);
  const orderId = admin_graphql_api_order_id ?? number;
  return orderId ? orderChanged(orderId) : { kind: "noted" };
}

/** Parses JSON, keeping whole numbers that JavaScript would round as the text that was sent: ids are no sums. */
function parseExactly(text: string): unknown {
  // Looking at each value takes five times as long, and numbers that long are rare.
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  const keepDigits = (_key: string, value: unknown, context?: { source?: string }) =>
    typeof value === "number" && !Number.isSafeInteger(value) && /^\d+$/.test(context?.source ?? "")
      ? context?.source
      : value;
  return JSON.parse(text, keepDigits);
}

const orderChanged = (value: string | number): StoreMessage => ({
  kind: "order_changed",
  orderId: gid("Order", value),
});

const productChanged = (payload: unknown): StoreMessage => ({
  kind: "product_changed",
  productId: gid("Product", product.parse(payload).id),
});
