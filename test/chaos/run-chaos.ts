import { setTimeout as delay } from "node:timers/promises";
import { startWorld, type TestWorld } from "../harness/index.ts";
import type { ChaosOptions } from "./arguments.ts";
import { openControlFolder } from "./control-folder.ts";
import { type LoadGenerator, startLoad } from "./load-generator.ts";
import { FAULTS, type Fault, setFaults } from "./phases.ts";
import { createProcessKiller } from "./process-killer.ts";
import { type Random, randomFrom } from "./random.ts";
import type { Report } from "./report.ts";
import { settle, statesOf, underWay } from "./settle.ts";
import { type Office, openOffice } from "./staff.ts";
import { killsOf, newTally, type Tally } from "./tally.ts";
import { judge } from "./verdict.ts";

const CREATE_TIMEOUT_MS = 4000;
/** The app waits so long after an attempt's deadline for its sender to write down what it learnt. */
const REPORTING_GRACE_MS = 5000;
const PHASE_MS = 3500;
/** Requests under way above which nothing more is bought: somebody has to be at work when death comes, not all. */
const BUSY = 60;
/** Kills by which death may be ahead of the orders. */
const KILLS_AHEAD = 10;

interface Run {
  world: TestWorld;
  load: LoadGenerator;
  office: Office;
  random: Random;
  tally: Tally;
  options: ChaosOptions;
  tell: (line: string) => void;
  /** While the app is taken off, nothing may change that nobody would learn of. */
  paused: boolean;
}

/**
 * Sells orders in a world of several processes while these are killed, PostgreSQL is ended and both servers
 * misbehave; then lets all be well, waits until everything is settled, and compares store and service.
 */
export async function runChaos(
  options: ChaosOptions,
  tell: (line: string) => void,
): Promise<Report> {
  const startedAt = performance.now();
  const folder = openControlFolder();
  try {
    await using world = await startWorld({
      workers: options.workers,
      quarantineMs: options.quarantineMs,
      ...(options.databaseUrl === undefined ? {} : { databaseUrl: options.databaseUrl }),
      // Short waits, in the proportions of the real ones.
      env: {
        PATHWAY_CREATE_TIMEOUT_MS: String(CREATE_TIMEOUT_MS),
        PATHWAY_SYNC_INTERVAL_MS: "3000",
        PATHWAY_MAINTENANCE_INTERVAL_MS: "8000",
        PATHWAY_CRASH_CONTROL_DIR: folder.path,
        LOG_LEVEL: "error",
      },
    });
    const random = randomFrom(options.seed);
    const load = startLoad(world, randomFrom(options.seed + 1), options.seed);
    await load.stockBothParts();
    const office = openOffice(world, randomFrom(options.seed + 2));
    const tally = newTally();
    const run: Run = { world, load, office, random, tally, options, tell, paused: false };
    const processKiller = createProcessKiller({
      world,
      folder,
      random,
      tally,
      target: options.kills,
      mayStrike: () =>
        killsOf(tally) <=
        KILLS_AHEAD + (options.kills * load.sold.length) / Math.max(1, options.orders),
      letStart: () => run.paused,
      freezeMs: CREATE_TIMEOUT_MS + REPORTING_GRACE_MS + options.quarantineMs + 1000,
      databaseMs: options.databaseSeconds * 1000,
    });
    await trouble(run, processKiller.run()).catch((cause: unknown) => {
      throw new Error(`${String(cause)}\n${world.said()}`, { cause });
    });
    await setFaults(world, []);
    tell("all is well again; waiting for the rest");
    const repaired = await settle(world, { load, office }, tell);
    const verdict = await judge(world, load);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    return { options, kills: killsOf(tally), tally, verdict, repaired, seconds };
  } finally {
    folder.remove();
  }
}

/** Everything at once, until the last order is sold and the last kill is done. */
async function trouble(run: Run, killing: Promise<void>): Promise<void> {
  const { load, office, options, tally, tell } = run;
  const startedAt = performance.now();
  const over = new AbortController();
  const isOver = () => over.signal.aborted;
  /** No longer than there is anything to wait for. */
  const pause = (ms: number) => delay(ms, undefined, over).catch(() => {});
  let faults: readonly Fault[] = [];
  let telling = Promise.resolve();
  /** One after the other: what is told while others are being told would be in force together with a part of them. */
  const tellFaults = (next: readonly Fault[]) => {
    telling = telling.then(() => setFaults(run.world, next));
    return telling;
  };
  const isSold = () => load.sold.length >= options.orders;
  const progress = () => (options.kills === 0 ? 1 : killsOf(tally) / options.kills);
  const always = (work: () => Promise<unknown>, everyMs: number) => async () => {
    while (!isOver()) {
      if (!run.paused) await work();
      await pause(everyMs);
    }
  };

  const sell = async () => {
    // Orders keep step with the kills, so that somebody is always at work when death comes.
    const ahead = Math.min(10, options.orders / 4);
    if (isSold() || load.sold.length > ahead + progress() * options.orders) return;
    if ((await underWay(run.world).catch(() => BUSY)) >= BUSY) return;
    await load.sell();
    await load.changeOne();
  };
  const changeFaults = async () => {
    let next = 0;
    let createsBefore = 0;
    while (!isOver()) {
      if (run.paused) {
        await pause(100);
        continue;
      }
      const first = FAULTS[next++ % FAULTS.length];
      const second = run.random.next() < 0.5 ? run.random.pick(BOTH) : undefined;
      const chosen = [first, second].flatMap((fault) => fault ?? []);
      // Until the servers have been told, the faults before are in force as well.
      faults = [...faults, ...chosen];
      await tellFaults(chosen);
      faults = chosen;
      await pause(PHASE_MS);
      const { calls } = await run.world.console.stats();
      const creates = calls["POST /v1/referrals"] ?? 0;
      for (const { name } of faults) {
        const sum = tally.faults.get(name) ?? { phases: 0, creates: 0 };
        const came = sum.creates + creates - createsBefore;
        tally.faults.set(name, { phases: sum.phases + 1, creates: came });
      }
      createsBefore = creates;
    }
  };
  const takeOffAndPutOn = async () => {
    await pause(6000);
    while (!isOver()) {
      run.paused = true;
      // The earlier messages must have been heard: Shopify forgets what it could not tell a shop without the app.
      await tellFaults([]);
      await delay(2500);
      await load.reinstall();
      run.paused = false;
      await pause(20_000 + run.random.below(20_000));
    }
  };
  const report = async () => {
    while (!isOver()) {
      await pause(10_000);
      const seconds = (performance.now() - startedAt) / 1000;
      const done = Math.min(load.sold.length / Math.max(1, options.orders), progress());
      const left = done > 0 ? Math.round((seconds * (1 - done)) / done / 60) : "?";
      const states = await statesOf(run.world).catch(() => "database away");
      const deaths = `${killsOf(tally)}/${options.kills} kills, ${tally.frozen} frozen, ${tally.database} databases`;
      tell(`${load.sold.length}/${options.orders} orders, ${deaths}; ${states}; ${left} min left`);
    }
  };

  const background = [
    always(sell, 30)(),
    always(() => load.fillInForms(), 150)(),
    always(() => load.sendResults(), 1500)(),
    always(() => load.somethingRare(), 1500)(),
    always(() => office.changePolicies(), 9000)(),
    always(() => office.decide(), 700)(),
    changeFaults(),
    takeOffAndPutOn(),
    report(),
  ];
  const everything = Promise.all(background);
  const enough = (async () => {
    await killing;
    while (!isSold()) await delay(200);
    over.abort();
  })();
  await Promise.race([enough, everything]);
  await everything;
}

const BOTH: readonly [Fault, ...Fault[]] = [
  {
    name: "service: events doubled and reordered",
    service: { webhooks: { duplicate: true, reorder: 0.5 } },
  },
  {
    name: "store: webhooks doubled and reordered",
    store: { webhooks: { duplicate: true, reorder: 0.5 } },
  },
];
