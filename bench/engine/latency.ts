import { setTimeout as delay } from "node:timers/promises";
import { type Figures, median } from "../figure.ts";
import { benchPostgres, type Host, SHOP, startHost } from "./host.ts";
import { percentile, rounded } from "./numbers.ts";

const ROUNDS = 5;
const ORDERS_PER_ROUND = 100;
const P50_GOAL_MS = 10;
const P99_GOAL_MS = 40;

/**
 * P3: from the moment at which a message is known to be committed to the moment at which its job's task is
 * called, on an idle machine: relay, inboxRouter, hand-over, announcement and claim.
 */
export async function measureLatency(): Promise<Figures> {
  const startedAt = new Map<string, (at: number) => void>();
  const task = async (payload: unknown) => {
    const { orderId } = payload as { orderId?: string };
    startedAt.get(orderId ?? "")?.(performance.now());
  };
  await using postgres = await benchPostgres();
  await using host = await startHost(postgres.url, task);
  await host.database.pool.query("INSERT INTO shops (shop) VALUES ($1)", [SHOP]);

  let order = 0;
  const one = async (): Promise<number> => {
    const number = ++order;
    const started = Promise.withResolvers<number>();
    startedAt.set(`gid://shopify/Order/${number}`, started.resolve);
    await receiveOrder(host, number);
    const committedAt = performance.now();
    host.wake();
    const waitedMs = (await started.promise) - committedAt;
    // Idle again: nothing of this one is under way any more.
    await delay(15);
    return waitedMs;
  };
  for (let warmUp = 0; warmUp < 50; warmUp++) await one();
  const rounds: Record<string, number>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const times: number[] = [];
    for (let n = 0; n < ORDERS_PER_ROUND; n++) times.push(await one());
    rounds.push({
      p50_ms: rounded(percentile(times, 50)),
      p99_ms: rounded(percentile(times, 99)),
      max_ms: rounded(Math.max(...times)),
    });
  }
  const p50 = rounded(median(rounds.map((round) => round.p50_ms ?? Number.NaN)));
  const p99 = rounded(median(rounds.map((round) => round.p99_ms ?? Number.NaN)));
  const unit = "ms from inbox commit to job start, idle";
  return {
    "P3.p50": { value: p50, unit, goal: `≤ ${P50_GOAL_MS}`, met: p50 <= P50_GOAL_MS, rounds },
    "P3.p99": { value: p99, unit, goal: `≤ ${P99_GOAL_MS}`, met: p99 <= P99_GOAL_MS, rounds },
  };
}

function receiveOrder({ writeToInbox }: Host, number: number): Promise<void> {
  return writeToInbox({
    shop: SHOP,
    source: "shopify",
    topic: "orders/paid",
    eventId: `latency-${number}`,
    deliveryId: null,
    triggeredAt: new Date(),
    body: Buffer.from(
      JSON.stringify({ id: number, admin_graphql_api_id: `gid://shopify/Order/${number}` }),
    ),
  });
}
