import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { z } from "zod";
import {
  patients,
  SHIPPING_ADDRESS,
  startWorld,
  type TestWorld,
} from "../../test/harness/index.ts";
import type { Figures } from "../figure.ts";
import { rounded } from "./numbers.ts";

const CREATE_MS = 12_000;
const GOAL = 0.95;
const CUSTOMERS = 20;
const SHOPPERS_AT_ONCE = 4;

const count = z.coerce.number().int().positive();
const options = z.object({ orders: count.default(1_000), concurrency: count.default(40) });

/**
 * P5: orders are paid as fast as the store can say so, their details are given as soon as they are asked for,
 * and the service takes 12 s for each create, of which the app may have a fixed number under way. Ideal is a
 * service that is never idle: orders ÷ concurrency, rounded up, times 12 s. The clock runs from the first payment
 * to the last created request. `--orders=10000 --concurrency=80` is the full form, in 25 minutes. More at once needs
 * more than two cores: store, service, shoppers and app together manage some ten orders a second on those, and with
 * less time for each the figure would tell how fast details are given. The default is the short form.
 */
export async function measureMakespan(): Promise<Figures> {
  const { values } = parseArgs({
    args: process.argv.slice(2),
    options: { orders: { type: "string" }, concurrency: { type: "string" } },
    allowPositionals: true,
  });
  const { orders, concurrency } = options.parse(values);
  await using world = await startWorld({
    env: {
      PATHWAY_CREATES_AT_ONCE: String(concurrency),
      PATHWAY_SYNC_INTERVAL_MS: "3600000",
      LOG_LEVEL: "warn",
    },
  });
  const customers = await Promise.all(
    Array.from({ length: CUSTOMERS }, async (_, n) => {
      const email = `bench-${n}@example.com`;
      return (await world.store.createCustomer({ email, firstName: "Kim", lastName: "Lee" })).id;
    }),
  );
  await world.console.setFaults({ createDelayMs: CREATE_MS });
  const variantId = world.line.products.find(
    ({ mapsTo }) => mapsTo.tests && !mapsTo.bundleId && !mapsTo.medicareTests,
  )?.variantId;
  if (!variantId) throw new Error("no product is mapped to tests");

  const startedAt = performance.now();
  let paid = 0;
  const pay = async () => {
    while (paid < orders) {
      const customerId = customers[paid++ % CUSTOMERS];
      const lines = [{ variantId, quantity: 1 }];
      await world.store.createOrder({ customerId, lines, shippingAddress: SHIPPING_ADDRESS });
    }
  };
  const paying = Promise.all([pay(), pay(), pay(), pay()]);
  await Promise.all([paying, giveDetails(world, orders)]);
  const givenMs = performance.now() - startedAt;
  for (;;) {
    const created = await world.sql.count(
      "SELECT count(*) FROM referral_requests WHERE state = 'created'",
    );
    if (created >= orders) break;
    await delay(100);
  }
  const actualMs = performance.now() - startedAt;
  await world.console.setFaults({});
  const counts = Object.values((await world.console.stats()).referralsByReferenceNumber);
  const idealMs = Math.ceil(orders / concurrency) * CREATE_MS;
  const value = rounded(idealMs / actualMs, 3);
  const lost = orders - counts.length;
  const duplicated = counts.filter((n) => n > 1).length;
  const round = {
    orders,
    concurrency,
    ideal_s: rounded(idealMs / 1000, 1),
    actual_s: rounded(actualMs / 1000, 1),
    details_given_s: rounded(givenMs / 1000, 1),
    lost,
    duplicated,
  };
  const met = value >= GOAL && lost === 0 && duplicated === 0;
  return {
    P5: {
      value,
      unit: "ideal ÷ actual makespan",
      goal: `≥ ${GOAL}, none lost`,
      met,
      rounds: [round],
    },
  };
}

const waitingUnit = z.object({ id: z.string(), customer: z.string() });

/**
 * Gives the details of so many units as soon as each is asked for. Whose turn it is the database tells: shoppers
 * who look at their page again and again would be most of what is measured.
 */
async function giveDetails(world: TestWorld, units: number): Promise<void> {
  const [patient] = patients("bench");
  const given = new Set<string>();
  while (given.size < units) {
    const waiting = await world.sql.rows(
      waitingUnit,
      `SELECT id, customer_id AS customer FROM referral_requests WHERE state = 'awaiting_details'
       ORDER BY created_at LIMIT 100`,
    );
    const queue = waiting.values();
    const give = async () => {
      for (const { id, customer } of queue) {
        await world.customer(customer).giveDetails(id, patient);
        given.add(id);
      }
    };
    await Promise.all(Array.from({ length: SHOPPERS_AT_ONCE }, give));
    await delay(50);
  }
}
