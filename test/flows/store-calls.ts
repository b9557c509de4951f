import { z } from "zod";
import { bearer, jsonCaller } from "../../sandbox/world/drivers/http.ts";
import type { TestWorld } from "../harness/index.ts";

const flow = z.looseObject({ handle: z.string(), payload: z.record(z.string(), z.unknown()) });
const created = z.looseObject({ id: z.string() });
const product = z.looseObject({ variants: z.array(z.looseObject({ id: z.string() })) });

/** Calls of the store's control interface that its driver does not have. */
export function storeCalls({ line }: TestWorld) {
  const { control_url, control_token } = line.store;
  const call = jsonCaller(control_url, bearer(control_token));
  const post = <T>(path: string, body: unknown, answer: z.ZodType<T>) =>
    call({ method: "POST", path, body, answer });
  return {
    /** Pays what an edit has made outstanding. */
    payOutstanding: (orderId: string) =>
      post(`/orders/${encodeURIComponent(orderId)}/pay`, {}, created),
    /** Staff delete an order, as they can one that was paid by hand. */
    deleteOrder: (orderId: string) =>
      call({
        method: "DELETE",
        path: `/orders/${encodeURIComponent(orderId)}`,
        answer: z.unknown(),
      }),
    /** Staff give an amount back and leave the items on the order. */
    giveBack: (orderId: string, amountCents: number) =>
      post(`/orders/${encodeURIComponent(orderId)}/refunds`, { amountCents }, created),
    /** Staff give the order to another customer; null: to none. */
    setCustomer: (orderId: string, customerId: string | null) =>
      call({
        method: "PUT",
        path: `/orders/${encodeURIComponent(orderId)}/customer`,
        body: { customerId },
        answer: created,
      }),
    /** What the app has started workflows with, the latest first. */
    flows: () => call({ path: "/flow", answer: z.array(flow) }),
    /** The members of a shop's staff. */
    staff: () => call({ path: "/staff", answer: z.array(z.looseObject({ id: z.number() })) }),
    /** A session token of a shop's staff, for a minute: of its owner unless it is named whose. */
    staffToken: async (shop: string, staff?: number) =>
      (
        await call({
          path: `/tokens/admin?shop=${encodeURIComponent(shop)}${staff ? `&staff=${staff}` : ""}`,
          answer: z.object({ token: z.string() }),
        })
      ).token,
    /** The merchant gives the shop another domain. */
    rename: (shop: string, former = line.store.shop) =>
      call({
        method: "PUT",
        path: `/domain?shop=${encodeURIComponent(former)}`,
        body: { shop },
        answer: z.object({ shop: z.string() }),
      }),
    /** The merchant removes the app from a shop. */
    uninstall: (shop: string) =>
      post(`/uninstall?shop=${encodeURIComponent(shop)}`, {}, z.unknown()),
    /** A further shop of the platform, without the app. */
    async openShop(shop: string) {
      const { id } = await post("/shops", { shop }, created);
      const here = `?shop=${encodeURIComponent(shop)}`;
      return {
        id,
        createProduct: (title: string) =>
          post(`/products${here}`, { title, variants: [{ priceCents: 4_900 }] }, product),
        createOrder: (order: unknown) => post(`/orders${here}`, order, created),
        install: () => post(`/install${here}`, {}, z.unknown()),
      };
    },
  };
}
