import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import pg from "pg";
import { startEmptyPostgres } from "../empty-postgres.ts";
import { type Figures, median } from "../figure.ts";
import { table } from "../table.ts";
import { load, SHOP, startApp } from "./host.ts";

const PER_SECOND = 50;
const CONNECTIONS = 8;
const ROUND_MS = 4_000;
const ROUNDS = 5;
const GOAL = 5;

/** Anonymous requests, by what they look like. Each sender waits for its answer and then sends the next. */
const FLOODS = {
  unsigned: { path: "/webhooks", bytes: 5_000 },
  forged: { path: "/webhooks", bytes: 5_000, isSigned: true },
  "forged, just small": { path: "/webhooks", bytes: 65_000, isSigned: true },
  "forged and large": { path: "/webhooks", bytes: 4_000_000, isSigned: true },
  "unsigned and large": { path: "/webhooks", bytes: 4_000_000 },
  "large forms": { path: `/t/bench.${"x".repeat(43)}`, bytes: 4_000_000 },
  "large calls": { path: "/api/customer/requests", bytes: 4_000_000 },
  "large posts to the admin": { path: "/app/settings?shop=bench.myshopify.com", bytes: 4_000_000 },
  "made-up addresses": { path: `/events/${"x".repeat(32)}`, bytes: 500 },
  "made-up links": { path: `/t/bench.${"x".repeat(43)}` },
  "made-up tokens": { path: "/api/customer/requests", bearer: `bench.${"x".repeat(43)}` },
  "the admin without a token": { path: "/app?shop=bench.myshopify.com" },
} as const satisfies Record<string, Flood>;

export interface Flood {
  path: string;
  bytes?: number;
  isSigned?: boolean;
  bearer?: string;
}

const SENDERS = 64;

/**
 * R23: how long a signed message waits for its yes while others flood, ÷ the same while it is quiet. Rounds of both take
 * turns; the worst flood counts.
 */
export async function measureFloods(): Promise<Figures> {
  const postgres = await startEmptyPostgres();
  const sql = new pg.Pool({ connectionString: postgres.url, max: 1 });
  const web = await startApp(postgres.url, "web");
  try {
    await sql.query("INSERT INTO shops (shop) VALUES ($1)", [SHOP]);
    const measure = async (run: string) => {
      const limits = { perSecond: PER_SECOND, connections: CONNECTIONS };
      return load({ port: web.port, durationMs: ROUND_MS, run, ...limits });
    };
    await measure("warm-up");
    const rows: Record<string, number | string>[] = [];
    const ratios: { p50: number; p99: number; failed: number }[] = [];
    for (const [name, flood] of Object.entries(FLOODS)) {
      const rounds: { p50: number; p99: number; failed: number }[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const quiet = await measure(`quiet-${name}-${round}`);
        const stop = startFlood(web.port, flood);
        await delay(300);
        const flooded = await measure(`flooded-${name}-${round}`);
        const answers = await stop();
        rounds.push({
          p50: flooded.p50Ms / quiet.p50Ms,
          p99: flooded.p99Ms / quiet.p99Ms,
          failed: flooded.failed,
        });
        rows.push({
          flood: name,
          answers_per_s: Math.round(answers / (ROUND_MS / 1000)),
          failed: flooded.failed,
          quiet_p50: Number(quiet.p50Ms.toFixed(2)),
          p50: Number(flooded.p50Ms.toFixed(2)),
          quiet_p99: Number(quiet.p99Ms.toFixed(2)),
          p99: Number(flooded.p99Ms.toFixed(2)),
        });
      }
      ratios.push({
        p50: median(rounds.map(({ p50 }) => p50)),
        p99: median(rounds.map(({ p99 }) => p99)),
        failed: Math.max(...rounds.map(({ failed }) => failed)),
      });
    }
    console.log(table(rows));
    const failed = Math.max(...ratios.map((one) => one.failed));
    const figure = (of: "p50" | "p99") => {
      const value = Number(Math.max(...ratios.map((one) => one[of])).toFixed(2));
      return {
        value,
        unit: `signed messages' ${of} under the worst flood ÷ quiet`,
        goal: `≤ ${GOAL}`,
        met: value <= GOAL && failed === 0,
        rounds: rows.map(({ flood: _, ...figures }) => figures as Record<string, number>),
      };
    };
    return { "R23.p50": figure("p50"), "R23.p99": figure("p99") };
  } finally {
    await sql.end();
    await web.program.stop();
    await postgres.stop();
  }
}

/** Floods from a thread of its own. The function that it returns ends the flood and resolves with how often it was answered. */
function startFlood(port: number, flood: Flood): () => Promise<number> {
  const worker = new Worker(new URL("./flood.ts", import.meta.url), {
    workerData: { port, flood, senders: SENDERS },
  });
  return async () => {
    const answered = once(worker, "message");
    worker.postMessage("end");
    const [count] = await answered;
    await worker.terminate();
    return Number(count);
  };
}
