import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { z } from "zod";
import { startWorld } from "../../test/harness/index.ts";
import type { Figures } from "../figure.ts";
import { rounded } from "./numbers.ts";
import { giveDetails, payOrders } from "./pay-orders.ts";

const CREATE_MS = 12_000;
const GOAL = 0.95;

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
  await world.console.setFaults({ createDelayMs: CREATE_MS });

  const startedAt = performance.now();
  await Promise.all([payOrders(world, orders), giveDetails(world, orders)]);
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
