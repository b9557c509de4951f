/**
 * The pages of the sandbox store need this from the store behind them, and nothing more.
 *
 * The store implements {@link StorePorts} over its own state and mounts the pages on its own port:
 *
 *     import { createWeb } from "./web/create-web.ts";
 *     const web = createWeb(ports);
 *     createServer(async (request, response) => {
 *       if (await web(request, response)) return;   // true: the pages have answered (or are answering)
 *       …                                           // false: nothing was read or written
 *     });
 *
 * Paths that the pages own (never `/admin/*`, which is Shopify's API, and never `/control*`):
 * `/`, `/products/*`, `/collections/*`, `/cart*`, `/checkout*`, `/account*`, `/apps/{proxy subpath}*`, `/cdn/*`,
 * `/admin-ui*`, `/app-bridge.js`, `/sandbox*` (start page, inbox, deliveries) and `/web-assets/*`.
 * So `store_url` is the origin, `admin_url` is `{origin}/admin-ui`.
 *
 * Conventions: ids are Shopify global ids (`gid://shopify/Order/1001`); money is in whole cents; times are ISO 8601
 * strings by the store's own clock; lists come newest first unless said otherwise. Every method may be asynchronous.
 */

export type Awaitable<T> = T | Promise<T>;

export interface StoreMetafield {
  /** The namespace as the owner wrote it: `custom`, `$app`, `$app:pathway` or the resolved `app--123…`. */
  namespace: string;
  key: string;
  /** Shopify's type name: `json`, `single_line_text_field`, `number_integer`, … */
  type: string;
  /** Always a string, JSON text for the JSON types. */
  value: string;
}

export interface StoreVariant {
  id: string;
  /** `Default Title` when the product has one variant only. */
  title: string;
  sku: string | null;
  priceCents: number;
  available: boolean;
  requiresShipping: boolean;
}

export interface StoreProduct {
  id: string;
  handle: string;
  title: string;
  descriptionHtml: string;
  vendor: string;
  productType: string;
  tags: string[];
  /** `ACTIVE`, `DRAFT` or `ARCHIVED`; the storefront shows active ones only. */
  status: string;
  variants: StoreVariant[];
  metafields: StoreMetafield[];
}

export interface StoreAddress {
  firstName: string;
  lastName: string;
  company?: string | null;
  address1: string;
  address2?: string | null;
  city: string;
  /** Australian state or territory code: `NSW`, `VIC`, … */
  provinceCode: string;
  zip: string;
  countryCode: string;
  phone?: string | null;
}

export interface StoreOrderLine {
  id: string;
  title: string;
  variantTitle: string | null;
  sku: string | null;
  productId: string | null;
  variantId: string | null;
  requiresShipping: boolean;
  quantity: number;
  /** The rest after refunds, cancellation and edits. */
  currentQuantity: number;
  unitPriceCents: number;
}

export interface StoreOrder {
  id: string;
  /** `#1001` */
  name: string;
  customerId: string | null;
  email: string | null;
  phone: string | null;
  createdAt: string;
  cancelledAt: string | null;
  test: boolean;
  /** Shopify's enum values: `PAID`, `PARTIALLY_REFUNDED`, `REFUNDED`, … */
  financialStatus: string;
  /** Shopify's enum values: `UNFULFILLED`, `FULFILLED`, `PARTIALLY_FULFILLED`, … */
  fulfilmentStatus: string;
  currencyCode: string;
  subtotalCents: number;
  /** Null when nothing was to be shipped. */
  shippingCents: number | null;
  totalCents: number;
  /** Null when nothing was to be shipped. */
  shippingAddress: StoreAddress | null;
  billingAddress: StoreAddress | null;
  lines: StoreOrderLine[];
  tags: string[];
  note: string | null;
  metafields: StoreMetafield[];
  /**
   * Unguessable key of the order's status link (`/account/orders/{numeric id}?key=…`), which Shopify puts into mails.
   * It shows the order without signing in; to an extension it is no login.
   */
  statusKey: string;
}

export interface StoreCustomer {
  id: string;
  email: string | null;
  phone: string | null;
  firstName: string | null;
  lastName: string | null;
  defaultAddress: StoreAddress | null;
}

/** The input of Shopify's checkout. The page checks the card number, which goes no further. */
export interface CheckoutInput {
  /** Set when the buyer is signed in; otherwise the store finds or makes the customer of the email address. */
  customerId: string | null;
  email: string;
  phone: string | null;
  /** Where to deliver; the billing address of a cart without anything to ship. */
  address: StoreAddress;
  lines: { variantId: string; quantity: number }[];
  /** True for the test cards: the order is a test order, as with Shopify's bogus gateway. */
  test: boolean;
}

export type CheckoutOutcome =
  | { ok: true; order: StoreOrder }
  /** `field` is a key of {@link CheckoutInput} or of its address, or null for the cart as a whole. */
  | { ok: false; errors: { field: string | null; message: string }[] };

export interface StoreMail {
  id: string;
  from: string;
  to: string;
  subject: string;
  text: string;
  /** Null when the mail has no HTML part. Shown in a sandboxed frame without scripts. */
  html: string | null;
  at: string;
}

export interface StoreDelivery {
  id: string;
  topic: string;
  url: string;
  /** HTTP status of the last attempt; null before the first one or when nothing answered. */
  status: number | null;
  /** Set when another attempt is planned. */
  nextAttemptAt: string | null;
  attempts: { at: string; status: number | null; ms: number; error?: string | null }[];
  triggeredAt: string;
  headers: Record<string, string>;
  /** The body exactly as sent. */
  payload: string;
}

export interface GraphqlRequest {
  query: string;
  variables?: Record<string, unknown>;
}

/** Constant facts. Getters are welcome where the value is known only after `listen`. */
export interface StoreFacts {
  /** `example.myshopify.com` */
  shop: string;
  shopName: string;
  /** Shopify's numeric id of the shop, as text. */
  shopId: string;
  currencyCode: string;
  /** Version under which the shop speaks GraphQL: `2026-07`. */
  apiVersion: string;
  /** Origin under which these pages are reached, without a slash at the end: `http://127.0.0.1:4020`. */
  origin: string;
  app: {
    name: string;
    /** Last part of the app's address in the admin: `pathway`. */
    handle: string;
    apiKey: string;
    /** Where the app runs, without a slash at the end; null when the store was started without `--app-url`. */
    url: string | null;
    /** Path of the page that opens first: `/app`. */
    homePath: string;
    scopes: string[];
    /** App proxy, as in shopify.app.toml: `/apps/pathway/*` → `{url}/proxy/*`; null when there is none. */
    proxy: { prefix: string; subpath: string; targetPath: string } | null;
  };
}

export interface ScopesDetail {
  granted: string[];
  required: string[];
  optional: string[];
}

export interface StorePorts {
  readonly facts: StoreFacts;

  // The catalogue and its buyers
  products(): Awaitable<StoreProduct[]>;
  order(id: string): Awaitable<StoreOrder | null>;
  orders(): Awaitable<StoreOrder[]>;
  ordersOfCustomer(customerId: string): Awaitable<StoreOrder[]>;
  customer(id: string): Awaitable<StoreCustomer | null>;
  /** Returns the price of delivery; null when nothing has to be shipped. The same rule prices the order. */
  shippingRate(
    lines: readonly { requiresShipping: boolean }[],
  ): Awaitable<{ title: string; priceCents: number } | null>;
  /** Makes a paid order, sends the webhooks and the confirmation mail. */
  placeOrder(input: CheckoutInput): Awaitable<CheckoutOutcome>;

  // Signing in to the customer account
  /** `new`: Shopify's customer accounts with extensions. `legacy`: account pages of the theme, no extensions. */
  customerAccounts(): Awaitable<"new" | "legacy">;
  setCustomerAccounts(kind: "new" | "legacy"): Awaitable<void>;
  /** Mails a six-digit code. Resolves the same whether or not the address is known. */
  sendLoginCode(email: string): Awaitable<void>;
  /** The customer's id when the code is right and fresh (it is used up by that); a new address becomes a customer. */
  redeemLoginCode(email: string, code: string): Awaitable<string | null>;
  /** Answers an opaque token for the cookie {@link CUSTOMER_COOKIE}. */
  startCustomerSession(customerId: string): Awaitable<string>;
  customerOfSession(token: string): Awaitable<string | null>;
  endCustomerSession(token: string): Awaitable<void>;

  // Tokens that Shopify's own front ends mint and sign
  /** Session token of the signed-in staff member, as App Bridge's `shopify.idToken()` hands out: one minute. */
  mintAdminToken(): Awaitable<string>;
  /** Customer-account session token: five minutes; `sub` only for a signed-in customer (null: status link only). */
  mintCustomerToken(customerId: string | null): Awaitable<string>;
  /**
   * The query with which the admin opens a page of the app: embedded, shop, host, id_token, session, locale, timestamp
   * and the hmac over them.
   */
  appLaunchQuery(): Awaitable<Record<string, string>>;
  /** The app proxy's `signature` over the parameters (hex HMAC-SHA256; repeated keys arrive comma-joined). */
  signProxyQuery(parameters: Record<string, string>): Awaitable<string>;

  // GraphQL on behalf of whoever is looking
  /** Answers the whole response body (`data`, `errors`, `extensions`). */
  adminGraphql(request: GraphqlRequest): Awaitable<unknown>;
  /** Optional: Customer Account API of one customer, for `fetch("shopify://customer-account/api/…")`. */
  customerGraphql?(customerId: string, request: GraphqlRequest): Awaitable<unknown>;
  /** Optional: Storefront API, for `shopify.query` in customer-account extensions. */
  storefrontGraphql?(request: GraphqlRequest): Awaitable<unknown>;

  // The app's installation
  appInstalled(): Awaitable<boolean>;
  installApp(): Awaitable<void>;
  uninstallApp(): Awaitable<void>;
  /** The app's access scopes in the shop: what `shopify.scopes.query()` answers. */
  scopes(): Awaitable<ScopesDetail>;
  /** Throws when one of them is not declared as optional. */
  grantScopes(scopes: string[]): Awaitable<void>;
  revokeScopes(scopes: string[]): Awaitable<void>;

  // The sandbox's views of itself
  mails(): Awaitable<StoreMail[]>;
  deliveries(): Awaitable<StoreDelivery[]>;
  redeliver(id: string): Awaitable<void>;
}

/** Name of the cookie that holds the customer's session token of {@link StorePorts.startCustomerSession}. */
export const CUSTOMER_COOKIE = "sandbox_customer";

/** Settings of the pages that are not the store's business; all have sensible defaults. */
export interface WebOptions {
  /** Folder of the app's extensions; default `extensions/` of the repository. */
  extensionsDir?: string;
  /** Where bundles and element manifests are kept; default `.cache/` of the repository. */
  cacheDir?: string;
}
