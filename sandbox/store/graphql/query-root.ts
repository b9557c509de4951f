import { listConnection, type PageArguments } from "./connection.ts";
import type { Caller } from "./context.ts";
import { customersConnection, customersOf, searchCustomers } from "./queries/customers.ts";
import {
  type OrdersArguments,
  ordersConnection,
  searchOrders,
  visibleOrders,
} from "./queries/orders.ts";
import {
  offersOf,
  productsConnection,
  productsOf,
  type SearchArguments,
  searchProducts,
  searchVariants,
  variantsConnection,
} from "./queries/products.ts";
import { adminApiVersion } from "./schema.ts";
import { appView, installationView } from "./views/app.ts";
import { nodeView } from "./views/node.ts";
import { orderView } from "./views/order.ts";
import { shopView } from "./views/shop.ts";

/** The queries that the store answers; every other one is "not modelled". */
export function queryRoot(caller: Caller): Record<string, unknown> {
  const byId =
    (type: string) =>
    ({ id }: { id: string }) =>
      id.startsWith(`gid://shopify/${type}/`) ? nodeView(caller, id) : null;
  return {
    shop: () => shopView(caller),
    app: ({ id }: { id?: string | null }) => {
      const app = appView(caller);
      return id == null || id === app.id ? app : null;
    },
    appInstallation: ({ id }: { id?: string | null }) => {
      const installation = installationView(caller);
      return id == null || id === installation?.id ? installation : null;
    },
    currentAppInstallation: () => installationView(caller),
    node: ({ id }: { id: string }) => nodeView(caller, id),
    nodes: ({ ids }: { ids: string[] }) => ids.map((id) => nodeView(caller, id)),
    product: byId("Product"),
    products: (args: SearchArguments) => productsConnection(caller, args),
    productsCount: ({ query }: SearchArguments) => count(searchProducts(productsOf(caller), query)),
    productVariant: byId("ProductVariant"),
    productVariants: (args: SearchArguments) => variantsConnection(caller, args),
    productVariantsCount: ({ query }: SearchArguments) =>
      count(searchVariants(offersOf(caller), query)),
    customer: byId("Customer"),
    customers: (args: SearchArguments) => customersConnection(caller, args),
    customersCount: ({ query }: SearchArguments) =>
      count(searchCustomers(customersOf(caller), query)),
    order: byId("Order"),
    orders: (args: OrdersArguments) =>
      ordersConnection(visibleOrders(caller), args, (order) => orderView(caller, order)),
    ordersCount: ({ query }: OrdersArguments) => count(searchOrders(visibleOrders(caller), query)),
    fulfillment: byId("Fulfillment"),
    fulfillmentOrder: byId("FulfillmentOrder"),
    // Subscriptions declared in shopify.app.toml belong to the app, not the shop: Shopify does not list them.
    webhookSubscriptions: (args: PageArguments) => listConnection([], args, (none) => none),
    webhookSubscriptionsCount: () => count([]),
    publicApiVersions: [
      { handle: adminApiVersion, displayName: `${adminApiVersion} (Latest)`, supported: true },
    ],
  };
}

const count = (items: unknown[]) => ({ count: items.length, precision: "EXACT" });
