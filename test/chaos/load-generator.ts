import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { MEDICARE_CARD, sellBothParts } from "../harness/both-parts.ts";
import { patients, type StoreOrder, type TestWorld } from "../harness/index.ts";
import type { Random } from "./random.ts";

/** An order as it was paid; what became of it later is the store's to tell. */
export type Sold = Pick<StoreOrder, "id" | "lines">;

/** A customer buys so many orders; then comes the next, so that nobody's account grows without end. */
const ORDERS_PER_CUSTOMER = 5;
/** The share of orders that are changed after they were paid. */
const CHANGED = 0.15;
const FORMS_AT_ONCE = 4;

/** Everybody who does something in a chaos run because they want something, and not to do harm. */
export function startLoad(world: TestWorld, random: Random, seed: number) {
  const { store, console: lab, sql } = world;
  const shelf = world.line.products
    .filter(({ mapsTo }) => mapsTo.bundleId || mapsTo.tests || mapsTo.medicareTests)
    .map(({ variantId }) => variantId);
  const anyVariant = (): string => {
    const [first, ...others] = shelf;
    if (first === undefined) throw new Error("Nothing is mapped to tests");
    return random.pick([first, ...others]);
  };

  const sold: Sold[] = [];
  const changed = new Set<string>();
  const [person] = patients("chaos");
  // An order that has no use for the card does not ask for it; the app leaves it out.
  const patient = { ...person, medicareCardNumber: MEDICARE_CARD };
  let customer = "";
  let people = 0;

  async function newCustomer(): Promise<string> {
    const email = `shopper-${seed}-${++people}@example.com`;
    return (await store.createCustomer({ email, firstName: "Kim", lastName: "Lee" })).id;
  }

  return {
    sold,

    /** Puts one more product on the shelf: of each unit two referrals are made, a private one and one under Medicare. */
    async stockBothParts(): Promise<void> {
      shelf.push((await sellBothParts(world, "Private and Medicare")).variantId);
    },

    /** One paid order of one to three units of one product, now and then of two products. */
    async sell(): Promise<void> {
      if (sold.length % ORDERS_PER_CUSTOMER === 0) customer = await newCustomer();
      const line = () => ({
        variantId: anyVariant(),
        quantity: 1 + random.below(3),
      });
      const first = line();
      const second = line();
      const two = random.next() < 0.1 && second.variantId !== first.variantId;
      const lines = two ? [first, second] : [first];
      const { id, lines: paid } = await store.createOrder({ customerId: customer, lines });
      sold.push({ id, lines: paid });
    },

    /** Perhaps a refund of a unit, a cancellation, or an edit of the quantity, of one recent order. */
    async changeOne(): Promise<void> {
      if (changed.size >= sold.length * CHANGED) return;
      const order = sold[sold.length - 1 - random.below(Math.min(sold.length, 8))];
      const line = order?.lines[0];
      if (!order || !line || changed.has(order.id)) return;
      changed.add(order.id);
      const dice = random.next();
      if (dice < 0.5) await store.refund(order.id, [{ lineItemId: line.id, quantity: 1 }]);
      else if (dice < 0.75) await store.cancelOrder(order.id);
      else
        await store.editOrder(order.id, [
          { lineItemId: line.id, quantity: Math.max(0, line.quantity - 1) },
        ]);
    },

    /** Shoppers fill in every form that waits for them. The app may be down just now; there is a next time. */
    async fillInForms(): Promise<void> {
      const waiting = await sql
        .rows(
          z.object({ customer: z.string() }),
          `SELECT DISTINCT customer_id AS customer FROM referral_requests
           WHERE state = 'awaiting_details' AND customer_id IS NOT NULL LIMIT 20`,
        )
        .catch(() => []);
      for (let at = 0; at < waiting.length; at += FORMS_AT_ONCE)
        await Promise.all(
          waiting.slice(at, at + FORMS_AT_ONCE).map(async ({ customer: id }) => {
            const account = world.customer(id);
            const soon = AbortSignal.timeout(4000);
            const work = async () => {
              for (const request of await account.requests()) {
                if (request.state !== "awaiting_details" || soon.aborted) continue;
                await account.giveDetails(request.id, patient);
              }
            };
            await Promise.race([work().catch(() => {}), delay(4000)]);
          }),
        );
    },

    /** The laboratory answers some referrals. */
    async sendResults(): Promise<void> {
      const ripe = await sql
        .rows(
          z.object({ uuid: z.string() }),
          "SELECT uuid FROM referrals WHERE result_uuid IS NULL ORDER BY service_created_at DESC LIMIT 3",
        )
        .catch(() => []);
      // A referral that was cancelled or deleted meanwhile has no results.
      for (const { uuid } of ripe) await lab.sendResults(uuid).catch(() => {});
    },

    /** Things that happen seldom: a session or a token runs out, customers are merged, somebody opens the app. */
    async somethingRare(): Promise<void> {
      const run = (statement: string) =>
        sql.rows(z.object({}), statement).then(
          () => {},
          () => {},
        );
      switch (random.below(4)) {
        case 0:
          return run(
            "UPDATE sessions SET expires = now() + interval '1 minute' WHERE NOT is_online",
          );
        case 1:
          return run("UPDATE connections SET tokens_sealed = NULL");
        case 2: {
          const [into, from] = [await newCustomer(), await newCustomer()];
          await store.mergeCustomers({ into, from });
          return;
        }
        default:
          await Promise.race([world.pages.open("/app").catch(() => {}), delay(4000)]);
      }
    },

    /**
     * The merchant takes the app off and puts it on again. Shopify tells a shop without the app nothing, so
     * nothing may be bought or changed meanwhile.
     */
    async reinstall(): Promise<void> {
      await store.uninstall();
      await delay(random.below(1500));
      await retryThroughOutage(async () => {
        const { hasToken, status } = await store.install();
        if (!hasToken)
          throw new Error(`the app, opened by the merchant, asked for no token: ${status}`);
      }, 240);
    },
  };
}
export type LoadGenerator = ReturnType<typeof startLoad>;

/** Tries until it works, or is answered by an error that is one: who is asked may be dead at the moment. */
export async function retryThroughOutage<T>(
  work: () => Promise<T>,
  tries = 60,
  isAnswer: (error: unknown) => boolean = () => false,
): Promise<T> {
  for (let left = tries; ; left--) {
    try {
      return await work();
    } catch (error) {
      if (left <= 1 || isAnswer(error)) throw error;
    }
    await delay(500);
  }
}
