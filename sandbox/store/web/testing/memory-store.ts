/** The ports over a few objects in memory: enough of a store for the tests of its pages. */
import { numericId } from "../format.ts";
import type {
  CheckoutInput,
  StoreCustomer,
  StoreDelivery,
  StoreFacts,
  StoreMail,
  StoreOrder,
  StorePorts,
  StoreProduct,
} from "../ports.ts";

export interface MemoryStore extends StorePorts {
  facts: StoreFacts;
  state: {
    products: StoreProduct[];
    orders: StoreOrder[];
    customers: StoreCustomer[];
    mails: StoreMail[];
    deliveries: StoreDelivery[];
    placed: CheckoutInput[];
    graphqlRequests: { query: string }[];
    installed: boolean;
    grantedScopes: string[];
    accounts: "new" | "legacy";
  };
}

const product = (number: number, title: string, variants: [string, number][]): StoreProduct => ({
  id: `gid://shopify/Product/${number}`,
  handle: title.toLowerCase().replaceAll(" ", "-"),
  title,
  descriptionHtml: `<p>About ${title}.</p>`,
  vendor: "Harbour",
  productType: "Test",
  tags: [],
  status: "ACTIVE",
  variants: variants.map(([variantTitle, priceCents], index) => ({
    id: `gid://shopify/ProductVariant/${number * 10 + index}`,
    title: variantTitle,
    sku: `SKU-${number}-${index}`,
    priceCents,
    available: true,
    requiresShipping: false,
  })),
  metafields: [],
});

export function createMemoryStore(): MemoryStore {
  const state: MemoryStore["state"] = {
    products: [
      product(1, "Iron Studies", [["Default Title", 4900]]),
      product(2, "Thyroid Function", [
        ["TSH only", 3900],
        ["Full panel", 8900],
      ]),
    ],
    orders: [],
    customers: [],
    mails: [],
    deliveries: [],
    placed: [],
    graphqlRequests: [],
    installed: true,
    grantedScopes: [],
    accounts: "new",
  };
  const codes = new Map<string, string>();
  const now = () => "2026-11-20T10:00:00Z";

  const customerOf = (email: string): StoreCustomer => {
    const known = state.customers.find((customer) => customer.email === email);
    if (known) return known;
    const made: StoreCustomer = {
      id: `gid://shopify/Customer/${state.customers.length + 1}`,
      email,
      phone: null,
      firstName: null,
      lastName: null,
      defaultAddress: null,
    };
    state.customers.push(made);
    return made;
  };

  const makeOrder = (input: CheckoutInput): StoreOrder => {
    const number = 1001 + state.orders.length;
    const lines = input.lines.map((line, index) => {
      const owner = state.products.find(({ variants }) =>
        variants.some(({ id }) => id === line.variantId),
      );
      const variant = owner?.variants.find(({ id }) => id === line.variantId);
      return {
        id: `gid://shopify/LineItem/${number * 10 + index}`,
        title: owner?.title ?? "",
        variantTitle: variant?.title === "Default Title" ? null : (variant?.title ?? null),
        sku: variant?.sku ?? null,
        productId: owner?.id ?? null,
        variantId: line.variantId,
        requiresShipping: variant?.requiresShipping ?? false,
        quantity: line.quantity,
        currentQuantity: line.quantity,
        unitPriceCents: variant?.priceCents ?? 0,
      };
    });
    const totalCents = lines.reduce((sum, line) => sum + line.unitPriceCents * line.quantity, 0);
    return {
      id: `gid://shopify/Order/${number}`,
      name: `#${number}`,
      customerId: input.customerId ?? customerOf(input.email).id,
      email: input.email,
      phone: input.phone,
      createdAt: now(),
      cancelledAt: null,
      test: input.test,
      financialStatus: "PAID",
      fulfilmentStatus: "UNFULFILLED",
      currencyCode: "AUD",
      subtotalCents: totalCents,
      shippingCents: null,
      totalCents,
      shippingAddress: null,
      billingAddress: input.address,
      lines,
      tags: [],
      note: null,
      metafields: [],
      statusKey: `key-of-${number}`,
    };
  };

  return {
    state,
    facts: {
      shop: "example.myshopify.com",
      shopName: "Example Pathology",
      shopId: "77",
      currencyCode: "AUD",
      apiVersion: "2026-07",
      origin: "",
      app: {
        name: "Sample",
        handle: "sample",
        apiKey: "sample-key",
        url: null,
        homePath: "/app",
        scopes: ["read_products"],
        proxy: { prefix: "apps", subpath: "sample", targetPath: "/proxy" },
      },
    },
    products: () => state.products,
    order: (id) => state.orders.find((order) => order.id === id) ?? null,
    orders: () => state.orders.toReversed(),
    ordersOfCustomer: (id) => state.orders.filter((order) => order.customerId === id).toReversed(),
    customer: (id) => state.customers.find((customer) => customer.id === id) ?? null,
    shippingRate: (lines) =>
      lines.some(({ requiresShipping }) => requiresShipping)
        ? { title: "Standard", priceCents: 995 }
        : null,
    placeOrder: (input) => {
      state.placed.push(input);
      const order = makeOrder(input);
      state.orders.push(order);
      return { ok: true, order };
    },
    customerAccounts: () => state.accounts,
    setCustomerAccounts: (kind) => {
      state.accounts = kind;
    },
    sendLoginCode: (email) => {
      codes.set(email, "123456");
      const id = String(state.mails.length + 1);
      state.mails.unshift({
        id,
        from: "shop@example.com",
        to: email,
        subject: "Your code",
        text: "Your code is 123456. See https://example.com/help.",
        html: null,
        at: now(),
      });
    },
    redeemLoginCode: (email, code) => {
      if (codes.get(email) !== code) return null;
      codes.delete(email);
      return customerOf(email).id;
    },
    startCustomerSession: (customerId) => `session-${numericId(customerId)}`,
    customerOfSession: (token) =>
      /^session-\d+$/.test(token) ? token.replace("session-", "gid://shopify/Customer/") : null,
    endCustomerSession: () => {},
    mintAdminToken: () => "admin-token",
    mintCustomerToken: (customerId) => `customer-token-of-${customerId ?? "nobody"}`,
    appLaunchQuery: () => ({
      embedded: "1",
      shop: "example.myshopify.com",
      host: Buffer.from("admin.shopify.com/store/example").toString("base64"),
      id_token: "launch-token",
      locale: "en",
    }),
    signProxyQuery: (parameters) => `signed:${Object.keys(parameters).sort().join(",")}`,
    adminGraphql: (request) => {
      state.graphqlRequests.push(request);
      return { data: { shop: { name: "Example Pathology" } } };
    },
    appInstalled: () => state.installed,
    installApp: () => {
      state.installed = true;
    },
    uninstallApp: () => {
      state.installed = false;
    },
    scopes: () => ({
      granted: ["read_products", ...state.grantedScopes],
      required: ["read_products"],
      optional: ["write_orders"],
    }),
    grantScopes: (scopes) => {
      state.grantedScopes = scopes;
    },
    revokeScopes: (scopes) => {
      state.grantedScopes = state.grantedScopes.filter((scope) => !scopes.includes(scope));
    },
    mails: () => state.mails,
    deliveries: () => state.deliveries,
    redeliver: (id) => {
      const delivery = state.deliveries.find((one) => one.id === id);
      delivery?.attempts.push({ at: now(), status: 200, ms: 5 });
    },
  };
}
