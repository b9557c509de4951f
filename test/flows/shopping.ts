import { expect } from "vitest";
import {
  type CustomerApi,
  eventually,
  type MappedProduct,
  type PatientDetails,
  patients,
  SHIPPING_ADDRESS,
  type StoreOrder,
  shopper,
  type TestWorld,
} from "../harness/index.ts";
import { type RequestRow, requestsOf } from "./rows.ts";

/** Somebody with an account in the shop. */
export interface Shopper {
  id: string;
  email: string;
  api: CustomerApi;
}

export type ProductKind = "bundle" | "tests" | "bundle and tests" | "medicare" | "ignored";

const KINDS: Record<ProductKind, (product: MappedProduct) => boolean> = {
  bundle: ({ mapsTo }) => Boolean(mapsTo.bundleId && !mapsTo.tests),
  tests: ({ mapsTo }) => Boolean(mapsTo.tests && !mapsTo.bundleId),
  "bundle and tests": ({ mapsTo }) => Boolean(mapsTo.tests && mapsTo.bundleId),
  medicare: ({ mapsTo }) => Boolean(mapsTo.medicareTests),
  ignored: ({ state }) => state === "ignored",
};

export type Shopping = ReturnType<typeof goShopping>;

/** Shoppers of this process: files that share a world meet nobody twice either. */
let people = 0;

/** Where there is something to buy. */
type Shop = Pick<TestWorld, "store" | "sql" | "customer"> & {
  line: Pick<TestWorld["line"], "products">;
};

/** Shops in a world. Nobody is met twice: every test has people and orders of its own. */
export function goShopping(world: Shop) {
  const { store, sql } = world;

  const product = (kind: ProductKind): MappedProduct => {
    const found = world.line.products.find(KINDS[kind]);
    if (found === undefined) throw new Error(`The world has no product of the kind "${kind}"`);
    return found;
  };

  /** The requests of an order as soon as there are so many, each of which passes `check`. */
  const requestsWhen = (
    order: Pick<StoreOrder, "id">,
    count: number,
    check: (request: RequestRow) => void = () => {},
    timeoutMs?: number,
  ): Promise<RequestRow[]> =>
    eventually(
      async () => {
        const requests = await requestsOf(sql, order.id);
        expect(requests).toHaveLength(count);
        for (const request of requests) check(request);
        return requests;
      },
      { what: `${count} requests of ${order.id}`, ...(timeoutMs ? { timeoutMs } : {}) },
    );

  return {
    product,
    requestsWhen,

    async newShopper(names: { firstName?: string; lastName?: string } = {}): Promise<Shopper> {
      const run = `${process.pid}-${++people}`;
      const person = { ...shopper(run), ...names, phone: `+614${String(30_000_000 + people)}` };
      const { id } = await store.createCustomer(person);
      return { id, email: person.email, api: world.customer(id) };
    },

    /** An address of nobody else's, for people without an account. */
    newAddress: (name: string) => `${name}-${process.pid}-${++people}@example.com`,

    /** A paid order of one shopper: variant ids, each with a quantity. */
    buy: (buyer: Shopper, lines: readonly (readonly [string, number])[]): Promise<StoreOrder> =>
      store.createOrder({
        customerId: buyer.id,
        lines: lines.map(([variantId, quantity]) => ({ variantId, quantity })),
        shippingAddress: SHIPPING_ADDRESS,
      }),

    /** A patient of nobody else's; the first two are a woman and a man. */
    patient(index = 0): PatientDetails {
      const [her, him] = patients(`${process.pid}-${people}-${index}`);
      return index % 2 === 0 ? her : him;
    },

    /** Gives details for each of the requests, and answers their ids. */
    async giveDetails(buyer: Shopper, requests: RequestRow[], patient?: PatientDetails) {
      for (const [index, { id }] of requests.entries())
        await buyer.api.giveDetails(id, patient ?? this.patient(index));
    },

    /** Buys `units` of a product of the kind and waits until every unit has its referral and its form. */
    async buyToForm(buyer: Shopper, units = 1, kind: ProductKind = "bundle") {
      const order = await this.buy(buyer, [[product(kind).variantId, units]]);
      const asked = await requestsWhen(order, units, ({ state }) =>
        expect(state).toBe("awaiting_details"),
      );
      await this.giveDetails(buyer, asked);
      await eventually(
        async () => {
          const own = (await buyer.api.requests()).filter(({ orderId }) => orderId === order.id);
          expect(own.map(({ state }) => state)).toEqual(Array(units).fill("form_ready"));
        },
        { what: "referral forms" },
      );
      return { order, requests: await requestsOf(sql, order.id) };
    },
  };
}

/** The first of a list. Throws when there is none, so that what is asserted of it is asserted. */
export function only<T>(list: readonly T[]): T {
  expect(list).toHaveLength(1);
  const [first] = list;
  if (first === undefined) throw new Error("The list is empty");
  return first;
}
