import { setTimeout as delay } from "node:timers/promises";
import { type Figures, median } from "../figure.ts";
import { benchPostgres, type Host, startHost } from "./host.ts";
import { percentile, rounded } from "./numbers.ts";

const ROUNDS = 7;
const SHOPS = 10;
const JOBS = 300;
const EVERY_MS = 10;
const WORK_MS = 100;
const DEAD_JOBS = 1_000;
const GOAL = 1.2;

/**
 * R17: from the moment at which a shop's create is queued to its end, while another shop's service answers
 * nothing and has a thousand orders waiting, ÷ the same without that shop. Rounds with and without take turns.
 */
export async function measureIsolation(): Promise<Figures> {
  const ended = new Map<string, (at: number) => void>();
  let dead = Promise.withResolvers<void>();
  const task = async (payload: unknown) => {
    const { shop, requestId } = payload as { shop: string; requestId: string };
    if (shop === "dead") return dead.promise;
    await delay(WORK_MS);
    ended.get(requestId)?.(performance.now());
    return undefined;
  };
  await using postgres = await benchPostgres();
  await using host = await startHost(postgres.url, task);

  const timesOfOthers = async (run: string): Promise<number[]> => {
    const waiting: Promise<number>[] = [];
    for (let n = 0; n < JOBS; n++) {
      const requestId = `${run}-${n}`;
      const done = Promise.withResolvers<number>();
      ended.set(requestId, done.resolve);
      const queuedAt = performance.now();
      waiting.push(done.promise.then((at) => at - queuedAt));
      await queue(host, `shop-${n % SHOPS}`, [requestId]);
      await delay(EVERY_MS);
    }
    return Promise.all(waiting);
  };
  await timesOfOthers("warm-up");
  const rounds: Record<string, number>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const alone = await timesOfOthers(`alone-${round}`);
    dead = Promise.withResolvers();
    const ids = Array.from({ length: DEAD_JOBS }, (_, n) => `dead-${round}-${n}`);
    await queue(host, "dead", ids);
    await delay(500);
    const beside = await timesOfOthers(`beside-${round}`);
    dead.resolve();
    await emptied(host);
    const [alone_p99_ms, beside_p99_ms] = [percentile(alone, 99), percentile(beside, 99)];
    rounds.push({
      alone_p50_ms: rounded(percentile(alone, 50)),
      beside_p50_ms: rounded(percentile(beside, 50)),
      alone_p99_ms: rounded(alone_p99_ms),
      beside_p99_ms: rounded(beside_p99_ms),
      ratio: rounded(beside_p99_ms / alone_p99_ms),
    });
  }
  const value = rounded(median(rounds.map((round) => round.ratio ?? Number.NaN)));
  return {
    R17: {
      value,
      unit: "p99 of other shops beside a dead one ÷ without it",
      goal: `≤ ${GOAL}`,
      met: value <= GOAL,
      rounds,
    },
  };
}

async function queue(host: Host, shop: string, ids: string[]): Promise<void> {
  await host.database.pool.query({
    name: "bench-queue",
    text: `INSERT INTO outbox (shop, name, singleton_key, payload)
           SELECT $1, 'create-referral', id, jsonb_build_object('shop', $1::text, 'requestId', id)
           FROM unnest($2::text[]) AS id`,
    values: [shop, ids],
  });
  host.wake();
}

async function emptied(host: Host): Promise<void> {
  for (;;) {
    const { rows } = await host.database.pool.query<{ open: number }>(
      "SELECT count(*)::int AS open FROM pgboss.job WHERE state < 'completed' AND name = 'create-referral'",
    );
    if (rows[0]?.open === 0) return;
    await delay(50);
  }
}
