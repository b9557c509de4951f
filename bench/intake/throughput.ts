import { once } from "node:events";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { cpuTimeMs } from "../cpu-time.ts";
import { startEmptyPostgres } from "../empty-postgres.ts";
import { type Figures, median } from "../figure.ts";
import { freePort, type Program, startProgram } from "../processes.ts";
import { table } from "../table.ts";
import { load, SECRET, SHOP, startApp } from "./host.ts";
import type { LoadReport } from "./load.ts";

const ROUNDS = 7;
const ROUND_MS = 4000;
const WARM_UP_MS = 3000;
const CONNECTIONS = 16;
const GOAL = 0.65;
interface Contestant {
  name: "app" | "bare";
  port: number;
  program: Program;
}

interface Run extends LoadReport {
  /** Processor time of the program and of the database for one request, in microseconds. */
  cpuUs: number;
}

/** P1: intake beside a bare program on the same database, in interleaved rounds. */
export async function measureThroughput(): Promise<Figures> {
  const postgres = await startEmptyPostgres();
  const sql = new pg.Pool({ connectionString: postgres.url, max: 2 });
  const contestants: Contestant[] = [];
  try {
    const { port, program } = await startApp(postgres.url);
    contestants.push({ name: "app", port, program });
    await sql.query(`CREATE SCHEMA bench; CREATE TABLE bench.inbox (id bigserial PRIMARY KEY, event_id text UNIQUE, body bytea,
                     received_at timestamptz NOT NULL DEFAULT now())`);
    await sql.query("INSERT INTO shops (shop) VALUES ($1)", [SHOP]);
    contestants.push(await startBare(postgres.url));

    const rounds: Record<string, number>[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const runs = new Map<Contestant["name"], Run>();
      // The order of the contestants changes, so that neither always finds the database as the other left it.
      for (const contestant of round % 2 === 0 ? contestants : contestants.toReversed()) {
        const durationMs = round === 0 ? WARM_UP_MS : ROUND_MS;
        runs.set(contestant.name, await run(contestant, postgres.pid, durationMs, round));
        if (contestant.name === "app") await checkStored(sql, runs.get("app"), `app${round}`);
        await settle(sql);
      }
      const [app, bare] = [runs.get("app"), runs.get("bare")];
      if (round > 0 && app && bare) rounds.push(compare(app, bare));
    }
    console.log(table(rounds));
    const value = Number(median(rounds.map((one) => one.ratio ?? 0)).toFixed(3));
    const unit = "intake ÷ bare, requests/s";
    return { P1: { value, unit, goal: `≥ ${GOAL}`, met: value >= GOAL, rounds } };
  } finally {
    await sql.end();
    for (const { program } of contestants) await program.stop();
    await postgres.stop();
  }
}

async function run(
  { name, port, program }: Contestant,
  databasePid: number,
  durationMs: number,
  round: number,
): Promise<Run> {
  const cpuMs = () => cpuTimeMs(program.pid) + cpuTimeMs(databasePid);
  const before = cpuMs();
  const report = await load({ port, durationMs, connections: CONNECTIONS, run: `${name}${round}` });
  return { ...report, cpuUs: ((cpuMs() - before) * 1000) / report.ok };
}

function compare(app: Run, bare: Run): Record<string, number> {
  const perSecond = ({ ok, seconds }: LoadReport) => Math.round(ok / seconds);
  return {
    app_per_s: perSecond(app),
    bare_per_s: perSecond(bare),
    ratio: Number((perSecond(app) / perSecond(bare)).toFixed(3)),
    app_p50_ms: Number(app.p50Ms.toFixed(2)),
    app_p99_ms: Number(app.p99Ms.toFixed(2)),
    bare_p50_ms: Number(bare.p50Ms.toFixed(2)),
    bare_p99_ms: Number(bare.p99Ms.toFixed(2)),
    app_cpu_us: Math.round(app.cpuUs),
    bare_cpu_us: Math.round(bare.cpuUs),
    failed: app.failed + bare.failed,
  };
}

/** Every yes is a row, and every row is sealed: nothing is measured that did not happen. */
async function checkStored(
  sql: pg.Pool,
  report: LoadReport | undefined,
  run: string,
): Promise<void> {
  if (!report) return;
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
  await sql.query("TRUNCATE inbox, bench.inbox");
  await sql.query("DELETE FROM pgboss.job");
  await sql.query("VACUUM pgboss.job");
  await sql.query("CHECKPOINT");
  await new Promise((resolve) => setTimeout(resolve, 300));
}

async function startBare(databaseUrl: string): Promise<Contestant> {
  const port = await freePort();
  const script = fileURLToPath(new URL("./bare.ts", import.meta.url));
  const env = {
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    BENCH_SECRET: SECRET,
    NODE_ENV: "production",
  };
  const program = await startProgram([script], env, async (child) => {
    if (child.stdout) await once(child.stdout, "data");
  });
  return { name: "bare", port, program };
}
