import { z } from "zod";
import type { OpenStore } from "./open-store.ts";

const products = z.array(
  z.object({
    id: z.string(),
    title: z.string(),
    variants: z.array(z.object({ id: z.string(), title: z.string(), sku: z.string().nullable() })),
  }),
);
const customers = z.array(z.object({ id: z.string(), email: z.string() }));
const order = z.looseObject({
  id: z.string(),
  name: z.string(),
  updatedAt: z.string(),
  lines: z.array(
    z.looseObject({ id: z.string(), quantity: z.number(), currentQuantity: z.number() }),
  ),
});

/** Id of the variant with this stock-keeping unit. */
export async function variantId(store: OpenStore, sku = "EHC-01"): Promise<string> {
  const all = products.parse(await store.ok("GET", "/products"));
  const found = all.flatMap((product) => product.variants).find((variant) => variant.sku === sku);
  if (!found) throw new Error(`no variant ${sku}`);
  return found.id;
}

export async function productId(store: OpenStore, title: string): Promise<string> {
  const all = products.parse(await store.ok("GET", "/products"));
  const found = all.find((product) => product.title === title);
  if (!found) throw new Error(`no product ${title}`);
  return found.id;
}

export async function customerId(
  store: OpenStore,
  email = "ava.nguyen@example.com",
): Promise<string> {
  const all = customers.parse(await store.ok("GET", "/customers"));
  const found = all.find((customer) => customer.email === email);
  if (!found) throw new Error(`no customer ${email}`);
  return found.id;
}

/** A paid order of one seeded customer. */
export async function placeOrder(store: OpenStore, more: object = {}) {
  const made = await store.ok("POST", "/orders", {
    customerId: await customerId(store),
    lines: [{ variantId: await variantId(store), quantity: 2 }],
    ...more,
  });
  return order.parse(made);
}

export const readOrder = async (store: OpenStore, id: string) =>
  order.parse(await store.ok("GET", `/orders/${encodeURIComponent(id)}`));

/** The delivery log, newest first. */
export const deliveries = async (store: OpenStore) =>
  z
    .array(
      z.looseObject({
        id: z.string(),
        topic: z.string(),
        status: z.number().nullable(),
        attempts: z.array(z.looseObject({ status: z.number().nullable(), ms: z.number() })),
        dropped: z.boolean(),
      }),
    )
    .parse(await store.ok("GET", "/deliveries"));
