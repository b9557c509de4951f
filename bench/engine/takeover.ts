import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Figures } from "../figure.ts";
import { benchPostgres, SHOP, startHost } from "./host.ts";
import { percentile, rounded } from "./numbers.ts";

const ROUNDS = 5;
const JOBS = 20;
const GOAL_MS = 15_000;
const NAME = "refetch-referral";
const VICTIM = fileURLToPath(new URL("./victim.ts", import.meta.url));

/**
 * P7: a process is killed (SIGKILL) while it runs jobs that may safely be done again; from that moment until
 * another process runs each of them.
 */
export async function measureTakeover(): Promise<Figures> {
  let resumed = (_id: string) => {};
  const task = async (payload: unknown) => resumed(String((payload as { uuid?: unknown }).uuid));
  await using postgres = await benchPostgres();
  const all: number[] = [];
  const rounds: Record<string, number>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const times: number[] = [];
    const victim = spawn(process.execPath, [VICTIM, postgres.url], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const lines = createInterface({ input: victim.stdout });
    await once(lines, "line");
    const insert = await startHost(postgres.url, task, { works: false });
    const ids = Array.from({ length: JOBS }, (_, n) => `${round}-${n}`);
    let begun = 0;
    const allBegun = new Promise<void>((resolve) => {
      lines.on("line", () => ++begun === JOBS && resolve());
    });
    await insert.engine.boss.insert(
      NAME,
      ids.map((uuid) => ({ data: { shop: SHOP, uuid }, singletonKey: uuid, group: { id: uuid } })),
    );
    await allBegun;
    await insert[Symbol.asyncDispose]();
    const host = await startHost(postgres.url, task);
    const killedAt = performance.now();
    victim.kill("SIGKILL");
    await new Promise<void>((resolve) => {
      resumed = () => times.push(performance.now() - killedAt) === JOBS && resolve();
    });
    await host[Symbol.asyncDispose]();
    rounds.push({
      first_ms: rounded(Math.min(...times), 0),
      p99_ms: rounded(percentile(times, 99), 0),
    });
    all.push(...times);
  }
  const value = rounded(percentile(all, 99), 0);
  return {
    P7: {
      value,
      unit: "ms from SIGKILL to a safe job resumed elsewhere, p99",
      goal: `≤ ${GOAL_MS}`,
      met: value <= GOAL_MS,
      rounds,
    },
  };
}
