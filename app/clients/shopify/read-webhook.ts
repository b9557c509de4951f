import { z } from "zod";
import { gid } from "../../modules/kernel/ids.ts";
import type { PaidOrder } from "../../modules/kernel/inbox.ts";
import type { StoreMessage, StoreMessageReader } from "../../modules/orders/store-message.ts";
import { storable, storableTime } from "../../platform/storable.ts";
import { DESTRUCTIVE_READERS, id } from "./destructive-topics.ts";

const gidOfOrder = z.string().regex(/^gid:\/\/shopify\/Order\/\d{1,20}$/);

const order = z.object({ id, admin_graphql_api_id: gidOfOrder.nullish() });
/** A payment tells this besides, where the subscription asks for it. */
const payment = z.object({
  name: z.string().min(1).max(100).transform(storable),
  created_at: z.iso.datetime({ offset: true }),
  updated_at: z.iso.datetime({ offset: true }),
  test: z.boolean(),
});
const product = z.object({ id });
const refund = z.object({ order_id: id });
const assessed = z.object({
  order_id: id.nullish(),
  admin_graphql_api_order_id: gidOfOrder.nullish(),
});
const scopesUpdate = z.object({ current: z.array(z.string()) });
const edit = z.object({ order_edit: z.object({ order_id: id }) });

/** Topic, as in X-Shopify-Topic → what a message under it means. */
const READERS: Record<string, (payload: unknown) => StoreMessage> = {
  "orders/paid": (payload) => paidOrder(payload),
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

/** How a payload that does not fit fails. A range is left by one that is nested too deeply to be looked at value by value. */
const NOT_FIT = [SyntaxError, RangeError, z.ZodError];

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
    if (NOT_FIT.some((kind) => error instanceof kind)) return { kind: "unreadable" };
    throw error;
  }
};

function wholeOrder(payload: unknown): OrderChanged {
  const { id: number, admin_graphql_api_id } = order.parse(payload);
  return orderChanged(admin_graphql_api_id ?? number);
}

/** An earlier version subscribed to the ids alone. */
function paidOrder(payload: unknown): StoreMessage {
  const message = wholeOrder(payload);
  const { success, data } = payment.safeParse(payload);
  if (!success) return message;
  const { name, created_at, updated_at, test } = data;
  const times = { placedAt: storableTime(created_at), changedAt: storableTime(updated_at) };
  const paid: PaidOrder = { name, ...times, test };
  return { ...message, paid };
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

type OrderChanged = Extract<StoreMessage, { kind: "order_changed" }>;

const orderChanged = (value: string | number): OrderChanged => ({
  kind: "order_changed",
  orderId: gid("Order", value),
});

const productChanged = (payload: unknown): StoreMessage => ({
  kind: "product_changed",
  productId: gid("Product", product.parse(payload).id),
});
