import { setTimeout as delay } from "node:timers/promises";
import type { ServiceFaults, StoreFaults, TestWorld } from "../harness/index.ts";
import type { Random } from "./random.ts";

/** What the service does to its callers, one at a time; each may create, or not, and says nothing clear. */
const SERVICE_FAULTS: readonly [ServiceFaults, ...ServiceFaults[]] = [
  {},
  { createCommitThenDrop: 0.5 },
  { createDropBeforeCommit: 0.5 },
  { createLateCommitMs: 1500 },
  { errorRate: 0.3 },
  { staleListMs: 2000 },
  { createDelayMs: 1500 },
  { createCommitThenDrop: 0.3, staleListMs: 1500 },
  { webhooks: { drop: 0.5, duplicate: 0.3, reorder: 0.5 } },
];

/** What the store does to its callers. */
const STORE_FAULTS: readonly [StoreFaults, ...StoreFaults[]] = [
  {},
  { webhooks: { duplicate: 0.5, reorder: 0.5 } },
  { graphqlStatus: { status: 502, times: 0.3 } },
  { throttle: 0.3 },
  { webhooks: { delayMs: 800 } },
];

export interface Trouble {
  kills: number;
  faults: number;
}

/**
 * Kills processes and changes what the servers do wrong until the kills are used up and `over` is true.
 * Leaves both servers without faults.
 */
export async function makeTrouble(
  world: TestWorld,
  random: Random,
  options: { kills: number; over: () => boolean; tell: (line: string) => void },
): Promise<Trouble> {
  const done = { kills: 0, faults: 0 };
  while (done.kills < options.kills || !options.over()) {
    await world.console.setFaults(random.pick(SERVICE_FAULTS));
    await world.store.setFaults(random.pick(STORE_FAULTS));
    done.faults++;
    for (let round = 0; round < 3; round++) {
      await delay(200 + random.below(900));
      if (done.kills >= options.kills || !(await killOne(world, random))) continue;
      done.kills++;
      if (done.kills % 10 === 0) options.tell(`${done.kills} kills, ${done.faults} kinds of fault`);
    }
  }
  await world.console.setFaults({});
  await world.store.setFaults({});
  return done;
}

/** Ends one of the app's processes, or now and then the database, without a word. */
async function killOne(world: TestWorld, random: Random): Promise<boolean> {
  const { app, workers, database } = await world.processes();
  const victims = [app, ...workers, app, ...workers, app, ...workers, database ?? app];
  const victim = victims[random.below(victims.length)];
  if (victim === undefined) return false;
  try {
    process.kill(victim, "SIGKILL");
    return true;
  } catch {
    // Dead already, and not yet started again.
    return false;
  }
}
