import { setTimeout as delay } from "node:timers/promises";
import { startWorld, type TestWorld } from "../harness/index.ts";
import type { ChaosOptions } from "./arguments.ts";
import { type LoadGenerator, retryThroughOutage, startLoad } from "./load-generator.ts";
import { setFaults } from "./phases.ts";
import { randomFrom } from "./random.ts";
import { startReplicatedPostgres } from "./replicated-postgres.ts";
import { type Repaired, settle, underWay } from "./settle.ts";
import { openOffice } from "./staff.ts";
import { judge, type Verdict } from "./verdict.ts";

const CREATE_TIMEOUT_MS = 6000;
/** The referral exists only after this: of what was under way at the switch, the lists show nothing for a while. */
const CREATE_DELAY_MS = 5000;
const MOST_LAG_MS = 60_000;
/** How long forms are filled in before the standby stops to learn. */
const AHEAD_MS = 150;

export interface FailoverReport {
  options: Pick<ChaosOptions, "orders" | "seed" | "lagMs" | "restart">;
  /** Create calls that had reached the service when the primary died. */
  creates: number;
  verdict: Verdict;
  repaired: Repaired;
  seconds: number;
}

/**
 * A primary dies while orders are paid and creates are under way, and a standby that has learnt nothing for `lagMs` takes
 * its place. Then waits until everything is settled, and compares store and service.
 */
export async function runFailover(
  { orders, seed, lagMs, restart, quarantineMs, workers }: ChaosOptions,
  tell: (line: string) => void,
): Promise<FailoverReport> {
  const startedAt = performance.now();
  await using postgres = await startReplicatedPostgres();
  await using world = await startWorld({
    databaseUrl: postgres.url,
    workers,
    quarantineMs,
    env: {
      PATHWAY_CREATE_TIMEOUT_MS: String(CREATE_TIMEOUT_MS),
      PATHWAY_SYNC_INTERVAL_MS: "2000",
      PATHWAY_MAINTENANCE_INTERVAL_MS: "4000",
      LOG_LEVEL: "warn",
    },
  });
  const load = startLoad(world, randomFrom(seed + 1), seed);
  const office = openOffice(world, randomFrom(seed + 2));
  const known = Math.ceil(orders / 2);
  while (load.sold.length < known) await load.sell();
  await untilAsked(world, load);
  await setFaults(world, [{ name: "slow", service: { createDelayMs: CREATE_DELAY_MS } }]);
  const before = await createCalls(world);
  // Some are claimed before the standby stops to learn, some after, and some are paid after.
  const filling = load.fillInForms();
  await delay(AHEAD_MS);
  postgres.freezeReplication();
  tell(`${load.sold.length} orders; the standby learns nothing for ${lagMs} ms`);
  const frozenAt = performance.now();
  while (load.sold.length < orders) await load.sell();
  await filling;
  let creates = 0;
  // Without a call there is nothing that could be ordered twice; a busy machine may be later with it.
  while (performance.now() - frozenAt < (creates > 0 ? lagMs : MOST_LAG_MS)) {
    await load.fillInForms();
    await delay(100);
    creates = (await createCalls(world)) - before;
  }
  tell(
    `${creates} creates meanwhile; the primary dies${restart ? ", and the app is restarted" : ""}`,
  );
  await postgres.failOver();
  if (restart) {
    const { app, workers: others } = await world.processes();
    for (const pid of [app, ...others]) process.kill(pid, "SIGKILL");
  }
  const repaired = await settle(world, { load, office }, tell);
  const verdict = await judge(world, load);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  return { options: { orders, seed, lagMs, restart }, creates, verdict, repaired, seconds };
}

/** The outcome in a few lines for people. */
export function failoverText({ options, creates, verdict, seconds }: FailoverReport): string {
  const { units, referrals, lost, duplicated, unasked, unresolved, withoutForm } = verdict;
  return [
    `Standby promoted ${options.lagMs} ms behind${options.restart ? ", app restarted" : ""}: ${options.orders} orders, ${creates} creates before, ${seconds} s`,
    `  ${units} units, ${referrals} referrals; lost ${lost}, duplicated ${duplicated}, unasked ${unasked}, unresolved ${unresolved}, forms missing ${withoutForm}`,
    ...verdict.examples.map((line) => `  ! ${line}`),
  ].join("\n");
}

async function createCalls(world: TestWorld): Promise<number> {
  return (await world.console.stats()).calls["POST /v1/referrals"] ?? 0;
}

/** Until each unit of what was sold waits for its form. */
async function untilAsked(world: TestWorld, { sold }: LoadGenerator): Promise<void> {
  const units = sold.flatMap(({ lines }) => lines).reduce((sum, line) => sum + line.quantity, 0);
  await retryThroughOutage(async () => {
    const asked = await underWay(world);
    if (asked < units) throw new Error(`${asked} of ${units} units wait for their form`);
  });
}
