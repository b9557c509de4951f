import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { startEmptyPostgres } from "../empty-postgres.ts";
import { type Figures, median } from "../figure.ts";
import { table } from "../table.ts";
import { type BenchApp, load, SHOP, startApp } from "./host.ts";

const STARTS = 7;
/** Processes whose memory is read; the last of them takes the messages too. */
const IDLERS = 3;
const EVENTS = 100_000;
const CONNECTIONS = 16;
/** A process is idle when it has had nothing to do for so long. */
const IDLE_MS = 10_000;
const LOAD_MS = 5_000;

/**
 * P11: what a process that serves and works costs, its database apart: milliseconds from its start to the first
 * answer, megabytes of memory when it has nothing to do, and megabytes more after 100,000 messages.
 */
export async function measureFootprint(): Promise<Figures> {
  const postgres = await startEmptyPostgres();
  const sql = new pg.Pool({ connectionString: postgres.url, max: 2 });
  try {
    // The first one makes the tables.
    await (await startApp(postgres.url)).program.stop();
    await sql.query("INSERT INTO shops (shop) VALUES ($1)", [SHOP]);
    const starts: Record<string, number>[] = [];
    for (let start = 0; start < STARTS; start++) {
      const { program, startMs } = await startApp(postgres.url);
      await program.stop();
      starts.push({ start_ms: Math.round(startMs) });
    }
    console.log(table(starts));
    const memory: Memory[] = [];
    for (let idler = 1; idler <= IDLERS; idler++) {
      const app = await startApp(postgres.url);
      memory.push(await memoryOf(app, sql, idler === IDLERS ? EVENTS : 0));
    }
    console.log(table(memory));
    const startMs = median(starts.map((one) => one.start_ms ?? Number.NaN));
    const idle = median(memory.map((one) => one.idle_mb));
    const growth = memory.at(-1)?.growth_mb ?? Number.NaN;
    return {
      "P11.start": {
        value: startMs,
        unit: "ms to the first answer",
        goal: "≤ 400",
        met: startMs <= 400,
        rounds: starts,
      },
      "P11.idle": {
        value: idle,
        unit: "MB, idle",
        goal: "≤ 100",
        met: idle <= 100,
        rounds: memory,
      },
      "P11.growth": {
        value: growth,
        unit: `MB more after ${EVENTS} messages`,
        goal: "≤ 20",
        met: growth <= 20,
        rounds: memory,
      },
    };
  } finally {
    await sql.end();
    await postgres.stop();
  }
}

type Memory = {
  messages: number;
  fresh_mb: number;
  idle_mb: number;
  after_mb: number;
  growth_mb: number;
};

/**
 * Growth is counted from where a process is that has worked: the first messages also bring in code, which is no growth.
 */
async function memoryOf(
  { port, program }: BenchApp,
  sql: pg.Pool,
  events: number,
): Promise<Memory> {
  try {
    await delay(IDLE_MS);
    const fresh = residentMb(program.pid);
    const send = async (run: string) => {
      const target = { port, durationMs: LOAD_MS, connections: CONNECTIONS };
      const { ok } = await load({ ...target, run });
      await sql.query("TRUNCATE inbox");
      return ok;
    };
    await send("warm-up");
    await delay(IDLE_MS);
    const before = residentMb(program.pid);
    let messages = 0;
    for (let run = 0; messages < events; run++) messages += await send(`footprint${run}`);
    await delay(IDLE_MS);
    const after = residentMb(program.pid);
    return {
      messages,
      fresh_mb: fresh,
      idle_mb: before,
      after_mb: after,
      growth_mb: after - before,
    };
  } finally {
    await program.stop();
  }
}

/** Memory of a process that is its own and in use (Linux); NaN where the system does not tell. */
function residentMb(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const anonymous = /^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1];
    return Math.round(Number(anonymous) / 1024);
  } catch {
    return Number.NaN;
  }
}
