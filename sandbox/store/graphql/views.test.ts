import {
  execute,
  type GraphQLNamedType,
  getNamedType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  parse,
} from "graphql";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type OpenStore, openStore } from "../testing/open-store.ts";
import { customerId, placeOrder, productId, readOrder, variantId } from "../testing/seeded.ts";
import type { Caller } from "./context.ts";
import { createFieldResolver } from "./field-resolver.ts";
import { fulfillmentCreate } from "./mutations/fulfillment-create.ts";
import { metafieldsSet } from "./mutations/metafields.ts";
import { queryRoot } from "./query-root.ts";
import { loadAdminSchema } from "./schema.ts";
import type { View } from "./view.ts";
import { nodeView } from "./views/node.ts";

// Every property of every view is a field of the real schema, and what it gives is a value of that field's type.

let store: OpenStore;
let caller: Caller;
let orderId: string;
beforeAll(async () => {
  store = await openStore();
  await store.session();
  const shop = store.platform.data.shops.get(store.ready.shop);
  if (!shop) throw new Error("no shop");
  caller = { platform: store.platform, shop, scopes: ["read_orders"], isApp: false };
  const order = await placeOrder(store, {
    lines: [{ variantId: await variantId(store, "SWAB-100"), quantity: 3 }],
    customAttributes: [{ key: "gift", value: "no" }],
  });
  orderId = order.id;
  await store.ok("POST", `/orders/${encodeURIComponent(orderId)}/refunds`, {
    lines: [{ lineItemId: (await readOrder(store, orderId)).lines[0]?.id, quantity: 1 }],
  });
  const [fulfillmentOrder] = Object(nodeView(caller, orderId)).fulfillmentOrders({
    first: 1,
  }).nodes;
  fulfillmentCreate(caller, {
    fulfillment: {
      lineItemsByFulfillmentOrder: [
        {
          fulfillmentOrderId: fulfillmentOrder.id,
          fulfillmentOrderLineItems: [
            { id: fulfillmentOrder.lineItems({ first: 1 }).nodes[0].id, quantity: 1 },
          ],
        },
      ],
      trackingInfo: { company: "Post", number: "1", url: "https://example.com/1" },
    },
  });
  metafieldsSet(caller, {
    metafields: [{ ownerId: orderId, namespace: "$app", key: "status", type: "json", value: "{}" }],
  });
});
afterAll(() => store.close());

/** A selection of everything that a view models, some levels deep. */
function selectionOf(type: GraphQLNamedType, view: unknown, depth: number): string {
  if (!isObjectType(type)) throw new Error(`${type} is not an object`);
  const parts = Object.entries(Object(view)).flatMap(([key, property]) => {
    if (key === "__typename") return [];
    const field = type.getFields()[key];
    if (!field) throw new Error(`${type.name} has no field ${key}`);
    if (field.args.some(isRequiredArgument)) return [];
    const named = getNamedType(field.type);
    if (isLeafType(named)) return [key];
    const pages = field.args.some((argument) => argument.name === "first");
    const value = typeof property === "function" ? property({ first: 1 }) : property;
    const sample = Array.isArray(value) ? value[0] : value;
    if (sample == null || depth === 0) return [];
    const child = isObjectType(named) ? named : loadAdminSchema().schema.getType(sample.__typename);
    if (!child) throw new Error(`${type.name}.${key} gives no known type`);
    const inner = selectionOf(child, sample, depth - 1) || "__typename";
    const selection = isObjectType(named) ? inner : `... on ${child.name} { ${inner} }`;
    return [`${key}${pages ? "(first: 1)" : ""} { ${selection} }`];
  });
  return parts.join(" ");
}

async function ask(query: string, variableValues: Record<string, unknown>): Promise<View> {
  const admin = loadAdminSchema();
  const result = await execute({
    schema: admin.schema,
    document: parse(query),
    rootValue: queryRoot(caller),
    contextValue: caller,
    variableValues,
    fieldResolver: createFieldResolver(admin),
  });
  expect(result.errors?.map((error) => `${error.path?.join(".")}: ${error.message}`) ?? []).toEqual(
    [],
  );
  return Object(result.data);
}

async function readAll(globalId: string): Promise<View> {
  const { schema } = loadAdminSchema();
  const view = nodeView(caller, globalId);
  const type = schema.getType(String(view?.__typename));
  if (!view || !type) throw new Error(`nothing behind ${globalId}`);
  const query = `query ($id: ID!) { node(id: $id) { ... on ${type.name} { ${selectionOf(type, view, 3)} } } }`;
  return Object((await ask(query, { id: globalId })).node);
}

it("of an order, its lines, refund, fulfilment, customer and metafields", async () => {
  const order = await readAll(orderId);
  expect(Object.keys(order).length).toBeGreaterThan(60);
  expect(order).toMatchObject({
    refunds: [{ refundLineItems: { nodes: [{ quantity: 1 }] } }],
    fulfillments: [{ trackingInfo: [{ company: "Post" }] }],
    metafields: { nodes: [{ key: "status", jsonValue: {} }] },
  });
});

it("of a product, a customer, the shop and the installation", async () => {
  await readAll(await productId(store, "Thyroid Function"));
  await readAll(await variantId(store, "TFT-TSH"));
  await readAll(await customerId(store));
  await readAll(`gid://shopify/Shop/${caller.shop.numericId}`);
  const installation = store.platform.data.installs.get(store.ready.shop);
  await readAll(`gid://shopify/AppInstallation/${installation?.numericId}`);
});

it("of a part, which leads back to its whole", async () => {
  const back = "order { id }";
  const { order } = await ask(
    `query ($id: ID!) { order(id: $id) {
      metafields(first: 1) { nodes { owner { ... on Order { id } } } }
      refunds { ${back} transactions(first: 1) { nodes { ${back} } } }
      transactions { ${back} }
      fulfillments { ${back} fulfillmentOrders(first: 1) { nodes { ${back} } } }
      fulfillmentOrders(first: 1) { nodes { ${back} fulfillments(first: 1) { nodes { ${back} } } } }
      customer { orders(first: 5) { nodes { id } } }
      lineItems(first: 1) { nodes { variant { id product { variants(first: 1) { nodes { id } } } } } }
    } }`,
    { id: orderId },
  );
  const whole = { order: { id: orderId } };
  const nodes = [whole];
  const variant = { id: expect.stringContaining("/ProductVariant/") };
  expect(order).toEqual({
    metafields: { nodes: [{ owner: { id: orderId } }] },
    refunds: [{ ...whole, transactions: { nodes } }],
    transactions: [whole, whole],
    fulfillments: [{ ...whole, fulfillmentOrders: { nodes } }],
    fulfillmentOrders: { nodes: [{ ...whole, fulfillments: { nodes } }] },
    customer: { orders: { nodes: expect.arrayContaining([{ id: orderId }]) } },
    lineItems: {
      nodes: [{ variant: { ...variant, product: { variants: { nodes: [variant] } } } }],
    },
  });
});

it("of a metafield, which leads back to its owner", async () => {
  const owners = [
    await productId(store, "Thyroid Function"),
    await variantId(store, "TFT-TSH"),
    await customerId(store),
    `gid://shopify/Shop/${caller.shop.numericId}`,
    `gid://shopify/AppInstallation/${store.platform.data.installs.get(store.ready.shop)?.numericId}`,
  ];
  for (const ownerId of owners) {
    const field = { ownerId, namespace: "$app", key: "note", type: "json", value: "{}" };
    const type = ownerId.split("/")[3];
    const answer = metafieldsSet(caller, { metafields: [field] });
    expect(answer).toMatchObject({ userErrors: [] });
    expect(Object(answer).metafields[0].owner()).toMatchObject({ id: ownerId });
    const { node } = await ask(
      `query ($id: ID!) { node(id: $id) { ... on ${type} {
        metafield(namespace: "$app", key: "note") { owner { ... on ${type} { id } } }
      } } }`,
      { id: ownerId },
    );
    expect(node).toEqual({ metafield: { owner: { id: ownerId } } });
  }
});
