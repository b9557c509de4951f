import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { z } from "zod";
import type { AdminGraphql } from "../../app/clients/shopify/admin-graphql.ts";
import { createStoreAccess } from "../../app/clients/shopify/store-access.ts";
import { StoreError } from "../../app/clients/shopify/store-error.ts";
import { createStoreOrderList } from "../../app/clients/shopify/store-order-list.ts";
import { createStoreOrders } from "../../app/clients/shopify/store-orders.ts";
import type { ShopDomain } from "../../app/modules/kernel/ids.ts";
import type { StoreOrder } from "../../app/modules/orders/order.ts";
import type { StoreAccess } from "../../app/modules/shops/store-access.ts";

export interface SmallStore {
  orders: StoreOrder[];
  /** Ids of variants that are sold. */
  variants: Set<string>;
  /** Names of the operations that were asked for, in order. */
  calls: string[];
  /** The store's answer to everything while it is set. */
  status: number | null;
  pageSize: number;
  storeOrders: ReturnType<typeof createStoreOrders>;
  storeOrderList: ReturnType<typeof createStoreOrderList>;
  storeAccess: StoreAccess;
  /** Ids of customers who exist. */
  customers: Set<string>;
  close(): void;
}

type Variables = { id?: string; ids?: string[]; after?: string | null; query?: string };

/** A store of one page of code, over HTTP: as much of the Admin API as orders need. */
export async function startSmallStore(): Promise<SmallStore> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { query, variables } = JSON.parse(String(Buffer.concat(chunks)));
    const name = /query (\w+)/.exec(query)?.[1] ?? "";
    store.calls.push(name);
    response.writeHead(store.status ?? 200, { "content-type": "application/json" });
    response.end(JSON.stringify({ data: answer(name, variables) }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  const graphql: AdminGraphql = async <T>(
    _shop: ShopDomain,
    query: string,
    variables: Record<string, unknown>,
    reads: z.ZodType<T>,
  ): Promise<T> => {
    const response = await fetch(`http://127.0.0.1:${port}`, {
      method: "POST",
      body: JSON.stringify({ query, variables }),
    });
    if (response.status === 401) throw new StoreError("store_not_signed_in");
    if (response.status === 404) throw new StoreError("store_not_found");
    if (!response.ok) throw new StoreError("store_unreachable");
    return reads.parse((await response.json()).data);
  };
  const store: SmallStore = {
    orders: [],
    variants: new Set(),
    calls: [],
    status: null,
    pageSize: 2,
    storeOrders: createStoreOrders(graphql),
    storeOrderList: createStoreOrderList(graphql),
    storeAccess: createStoreAccess(graphql, async () => null),
    customers: new Set(),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };

  function answer(name: string, { id, ids, after, query = "" }: Variables): unknown {
    const one = store.orders.find((order) => order.id === id) ?? null;
    if (name === "PathwayCustomer")
      return { customer: id && store.customers.has(id) ? { id } : null };
    if (name === "PathwayShop") return { shop: { id: "gid://shopify/Shop/1" } };
    if (name === "PathwayVariantsById")
      return { nodes: ids?.map((own) => (store.variants.has(own) ? { id: own } : null)) };
    if (name === "PathwayOrderById") return { order: one && listed(one) };
    if (name === "PathwayOrder")
      return {
        shop: one?.storeId ? { id: one.storeId, name: "Shop" } : null,
        order: one && whole(one),
      };
    const [since, until] = [...query.matchAll(/updated_at:[<>]='([^']+)'/g)].map((m) => m[1] ?? "");
    const number = /name:'([^']+)'/.exec(query)?.[1];
    const found = store.orders
      .filter(({ name: own, updatedAt }) =>
        number
          ? [number, `#${number}`].some((text) => own.toLowerCase().startsWith(text.toLowerCase()))
          : updatedAt.toISOString() >= (since ?? "") && updatedAt.toISOString() <= (until ?? ""),
      )
      .toSorted((a, b) => a.updatedAt.getTime() - b.updatedAt.getTime());
    const from = Number(after ?? 0);
    const end = from + store.pageSize;
    const pageInfo = { hasNextPage: end < found.length, endCursor: String(end) };
    return { orders: { nodes: found.slice(from, end).map(listed), pageInfo } };
  }
  return store;
}

const financialStatus = ({ paid, paidInPart, isMoneyBack }: StoreOrder) => {
  if (isMoneyBack) return paid ? "REFUNDED" : "VOIDED";
  if (paid) return "PAID";
  return paidInPart ? "PARTIALLY_PAID" : "PENDING";
};

const listed = (order: StoreOrder) => ({
  id: order.id,
  name: order.name,
  displayFinancialStatus: financialStatus(order),
  updatedAt: order.updatedAt.toISOString(),
});

const whole = (order: StoreOrder) => ({
  ...listed(order),
  test: order.test,
  cancelledAt: order.cancelledAt?.toISOString() ?? null,
  processedAt: order.processedAt.toISOString(),
  createdAt: order.createdAt?.toISOString(),
  email: order.buyer.email,
  phone: order.buyer.phone,
  statusPageUrl: order.buyer.statusUrl,
  customer: order.customerId && {
    id: order.customerId,
    firstName: order.buyer.firstName,
    lastName: order.buyer.lastName,
  },
  shippingAddress: null,
  billingAddress: null,
  lineItems: {
    nodes: order.lines.map(({ productId, variantId, bundle, ...line }) => ({
      isGiftCard: false,
      ...line,
      product: productId && { id: productId },
      variant: variantId && { id: variantId },
      lineItemGroup: bundle ?? null,
    })),
    pageInfo: { hasNextPage: false, endCursor: null },
  },
});
