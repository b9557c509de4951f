import { z } from "zod";
import type { StoreReady } from "../ready-lines.ts";
import { bearer, inPath, jsonCaller } from "./http.ts";

export type OrderRisk = "NONE" | "LOW" | "MEDIUM" | "HIGH" | "PENDING";

/** Body of POST /orders. */
export interface NewOrder {
  customerId?: string;
  email?: string;
  phone?: string;
  /** Units of variants, or of something that only this order names and prices. */
  lines: { variantId?: string; title?: string; priceCents?: number; quantity: number }[];
  discounts?: { code?: string; lines?: number[]; percentage?: number; amountCents?: number }[];
  /** So much of the price is paid by a gift card. */
  giftCardCents?: number;
  source?: "web" | "shopify_draft_order";
  /** False: its money is still to come. */
  paid?: boolean;
  shippingAddress?: Record<string, unknown>;
  test?: boolean;
  /** Shopify's assessment of fraud; LOW unless told otherwise. */
  risk?: OrderRisk;
  /** ISO 8601, for orders of the past. */
  createdAt?: string;
  /** When it was placed, where that was elsewhere: an order that an import brings along. */
  processedAt?: string;
}

/** Body of POST /orders/{id}/edit: a line gets a new quantity, or a variant is added. */
export type OrderEdit =
  | { lineItemId: string; quantity: number }
  | { variantId: string; quantity: number };

/** So many units of a line. */
export interface OrderedUnits {
  lineItemId: string;
  quantity: number;
}

/** Body of POST /products. */
export interface NewProduct {
  title: string;
  variants: { title?: string; sku?: string; priceCents: number; requiresShipping?: boolean }[];
  optionName?: string;
  isGiftCard?: boolean;
}

/** Body of POST /customers. */
export interface NewCustomer {
  email: string;
  firstName?: string;
  lastName?: string;
  phone?: string;
}

/** How often a fault happens: never, always, with a probability below 1, or so many times. */
export type FaultFrequency = boolean | number;

/** Body of PUT /faults; what is absent is off. */
export interface StoreFaults {
  graphqlStatus?: number | { status: number; times: FaultFrequency };
  graphqlLatencyMs?: number;
  throttle?: FaultFrequency;
  webhooks?: {
    drop?: FaultFrequency;
    duplicate?: FaultFrequency;
    reorder?: FaultFrequency;
    delayMs?: number;
    badHmac?: FaultFrequency;
  };
  /** Addresses that the SMTP server refuses: 550 unless said otherwise. */
  mail?: { refuse: { to: string; status?: number; times?: FaultFrequency }[] };
}

export type PrivacyTopic = "customers/data_request" | "customers/redact" | "shop/redact";

const created = z.looseObject({ id: z.string() });
const installed = z.looseObject({ status: z.number(), hasToken: z.boolean() });

export const storeProductSchema = z.looseObject({
  id: z.string(),
  title: z.string(),
  variants: z.array(
    z.looseObject({ id: z.string(), title: z.string(), sku: z.string().nullable() }),
  ),
});
export type StoreProduct = z.infer<typeof storeProductSchema>;
const anything = z.unknown();
const tokenAnswer = z.object({ token: z.string().min(1) });

export const storeOrderSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  lines: z.array(
    z.looseObject({ id: z.string(), quantity: z.number(), variantId: z.string().nullish() }),
  ),
  returns: z.array(z.looseObject({ id: z.number() })).default([]),
});
export type StoreOrder = z.infer<typeof storeOrderSchema>;

const scopesDetail = z.object({
  granted: z.array(z.string()),
  required: z.array(z.string()),
  optional: z.array(z.string()),
});

const webhookDeliverySchema = z.looseObject({
  id: z.string(),
  topic: z.string(),
  /** The status of the last attempt; null before the first or when nothing answered. */
  status: z.number().nullable(),
  attempts: z.array(z.looseObject({ status: z.number().nullable(), ms: z.number() })),
});

const mailSchema = z.looseObject({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string().nullish(),
  at: z.string(),
  headers: z.record(z.string(), z.string()),
});

/** The store's control interface, `{control_url}` of docs/sandbox.md §2: what people do in a shop, as calls. */
export function createStoreControl(store: StoreReady) {
  const call = jsonCaller(store.control_url, bearer(store.control_token));
  const post = <T>(path: string, answer: z.ZodType<T>, body: unknown = {}) =>
    call({ method: "POST", path, body, answer });
  return {
    /** Installs the app and opens its first page: its status, and whether the app has fetched its token. */
    install: () => post("/install", installed),
    uninstall: () => post("/uninstall", anything),
    products: () => call({ path: "/products", answer: z.array(storeProductSchema) }),
    createProduct: (product: NewProduct) => post("/products", storeProductSchema, product),
    createCustomer: (customer: NewCustomer) => post("/customers", created, customer),
    /** A paid order, with its webhooks. */
    createOrder: (order: NewOrder) => post("/orders", storeOrderSchema, order),
    order: (id: string) => call({ path: `/orders/${inPath(id)}`, answer: storeOrderSchema }),
    refund: (
      id: string,
      lines: { lineItemId: string; quantity: number; returned?: boolean }[],
      returnId?: number,
    ) => post(`/orders/${inPath(id)}/refunds`, anything, { lines, returnId }),
    /** Staff fulfil by hand. */
    fulfil: (id: string, lines: OrderedUnits[]) =>
      post(`/orders/${inPath(id)}/fulfillments`, storeOrderSchema, { lines }),
    /** The buyer sends fulfilled units back; `lowersQuantity` says whether they count as gone from then on. */
    openReturn: (id: string, lines: OrderedUnits[], lowersQuantity: boolean) =>
      post(`/orders/${inPath(id)}/returns`, storeOrderSchema, { lines, lowersQuantity }),
    cancelReturn: (id: string, returnId: number) =>
      call({
        method: "PUT",
        path: `/orders/${inPath(id)}/returns/${returnId}`,
        body: { status: "CANCELED" },
        answer: storeOrderSchema,
      }),
    /** Shopify assesses an order anew. */
    assess: (id: string, risk: OrderRisk) =>
      call({ method: "PUT", path: `/orders/${inPath(id)}/risk`, body: { risk }, answer: anything }),
    cancelOrder: (id: string) => post(`/orders/${inPath(id)}/cancel`, anything),
    editOrder: (id: string, lines: OrderEdit[]) =>
      post(`/orders/${inPath(id)}/edit`, storeOrderSchema, { lines }),
    /** `from` ceases to be; what was theirs is `into`'s. */
    mergeCustomers: (merge: { into: string; from: string }) =>
      post("/customers/merge", created, merge),
    privacy: (topic: PrivacyTopic, about: { customerId?: string; orderIds?: string[] } = {}) =>
      post(`/privacy/${topic}`, anything, about),
    /** Grants and takes back scopes as the merchant does: all that the app is to have from here on. */
    chooseScopes: (granted: readonly string[]) =>
      call({ method: "PUT", path: "/app/scopes", body: { granted }, answer: scopesDetail }),
    /** The app's scopes in the shop. */
    scopes: () =>
      call({ method: "POST", path: "/app/scopes", body: { grant: [] }, answer: scopesDetail }),
    /** Chooses the kind of customer accounts as the merchant does. */
    chooseAccounts: (kind: "new" | "legacy") =>
      call({ method: "PUT", path: "/accounts", body: { kind }, answer: anything }),
    /** Chooses the store's time zone as the merchant does, as IANA names it. */
    chooseTimeZone: (name: string) =>
      call({ method: "PUT", path: "/time-zone", body: { name }, answer: anything }),
    /** Newest first. */
    deliveries: () => call({ path: "/deliveries", answer: z.array(webhookDeliverySchema) }),
    /** One delivery with what it says. */
    delivery: (id: string) =>
      call({ path: `/deliveries/${inPath(id)}`, answer: z.looseObject({ payload: z.string() }) }),
    redeliver: (id: string) => post(`/deliveries/${inPath(id)}/redeliver`, anything),
    mail: () => call({ path: "/mail", answer: z.array(mailSchema) }),
    /** Session token of a signed-in member of staff, as App Bridge gives; it lives for a minute. */
    adminToken: async () => (await call({ path: "/tokens/admin", answer: tokenAnswer })).token,
    /** Customer-account session token of a signed-in customer; it lives for five minutes. */
    customerToken: async (id: string) =>
      (await call({ path: `/tokens/customer/${inPath(id)}`, answer: tokenAnswer })).token,
    setFaults: (faults: StoreFaults) =>
      call({ method: "PUT", path: "/faults", body: faults, answer: anything }),
    advanceClock: (advanceSeconds: number) => post("/clock", anything, { advanceSeconds }),
  };
}
