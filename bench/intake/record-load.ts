import pg from "pg";
import { startEmptyPostgres } from "../empty-postgres.ts";
import { type Figures, median } from "../figure.ts";
import { table } from "../table.ts";
import { load, SHOP, startApp } from "./host.ts";

/** All of Shopify at its record: orders in its busiest minute, for each second. */
const PER_SECOND = 741;
const CONNECTIONS = 64;
const ROUNDS = 5;
const ROUND_MS = 10_000;
const WARM_UP_MS = 5_000;

/**
 * P2: how long a message waits for its yes when messages come at the rate of all of Shopify at its record, while the
 * relays of two processes take each of them up. The clock of each runs from the moment it was due.
 */
export async function measureRecordLoad(): Promise<Figures> {
  const postgres = await startEmptyPostgres();
  const sql = new pg.Pool({ connectionString: postgres.url, max: 2 });
  const web = await startApp(postgres.url, "web");
  const worker = await startApp(postgres.url, "worker");
  try {
    await sql.query("INSERT INTO shops (shop) VALUES ($1)", [SHOP]);
    const rounds: Record<string, number>[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const durationMs = round === 0 ? WARM_UP_MS : ROUND_MS;
      const target = { port: web.port, durationMs, run: `record${round}` };
      const limits = { perSecond: PER_SECOND, connections: CONNECTIONS };
      const { ok, failed, p50Ms, p99Ms, maxMs } = await load({ ...target, ...limits });
      const done = await handled(sql, `record${round}`);
      if (round > 0)
        rounds.push({
          sent: ok + failed,
          failed,
          handled: done,
          p50_ms: Number(p50Ms.toFixed(2)),
          p99_ms: Number(p99Ms.toFixed(2)),
          max_ms: Number(maxMs.toFixed(1)),
        });
    }
    console.log(table(rounds));
    const p99 = median(rounds.map((one) => one.p99_ms ?? Number.NaN));
    const slowest = Math.max(...rounds.map((one) => one.max_ms ?? Number.NaN));
    const failed = rounds.reduce((sum, one) => sum + (one.failed ?? 0), 0);
    return {
      "P2.p99": {
        value: p99,
        unit: `ms, p99 at ${PER_SECOND} messages/s`,
        goal: "≤ 25",
        met: p99 <= 25 && failed === 0,
        rounds,
      },
      "P2.max": {
        value: slowest,
        unit: "ms, slowest of all",
        goal: "≤ 250",
        met: slowest <= 250,
        rounds,
      },
    };
  } finally {
    await sql.end();
    await Promise.all([web.program.stop(), worker.program.stop()]);
    await postgres.stop();
  }
}

/** How many messages of a round the workers had done with when its last was answered. */
async function handled(sql: pg.Pool, run: string): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM inbox WHERE event_id LIKE $1 AND state NOT IN ('received', 'queued')",
    [`${run}-%`],
  );
  return rows[0]?.count ?? 0;
}
