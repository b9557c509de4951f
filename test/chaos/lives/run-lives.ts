import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { UnexpectedAnswer } from "../../../sandbox/world/drivers/http.ts";
import { dueWork } from "../../flows/rows.ts";
import { sellBothParts } from "../../harness/both-parts.ts";
import { SHIPPING_ADDRESS, startWorld, type TestWorld } from "../../harness/index.ts";
import type { ChaosOptions } from "../arguments.ts";
import { openControlFolder } from "../control-folder.ts";
import { retryThroughOutage } from "../load-generator.ts";
import { FAULTS, setFaults } from "../phases.ts";
import { createProcessKiller } from "../process-killer.ts";
import { type Random, randomFrom } from "../random.ts";
import { LOOKS_MISSING } from "../settle.ts";
import { killsOf, newTally } from "../tally.ts";
import { ACTS, giveDetails, type Life } from "./acts.ts";
import { judgeLives } from "./judge-lives.ts";

const AT_ONCE = 5;
const STEPS = { least: 5, more: 9 };
const SETTLE_MS = 180_000;
/** So many looks in a row have to find nothing that is due. */
const QUIET_LOOKS = 8;
/** So often somebody tries again, twice a second, whom nothing answers. */
const PATIENCE = 120;
const CREATE_TIMEOUT_MS = 3000;
/** A process that stands still does so for longer than the app waits for its report, and than the quarantine. */
const FREEZE_BEYOND_MS = 6000;
/** Kills by which death may be ahead of the lives. */
const KILLS_AHEAD = 2;

export interface LivesReport {
  seed: number;
  lives: number;
  /** Processes that were ended by SIGKILL, and the others that were asked to end or stood still for long. */
  kills: number;
  disturbed: number;
  /** The service's own count. */
  referrals: number;
  seconds: number;
  /** How often each act was done, and how often it was refused. */
  acts: Record<string, { done: number; refused: number }>;
  /** The statements that do not agree, each with the whole life of its order; acts that nobody ever answered, and work that never ends. */
  contradictions: string[];
}

type Options = Pick<ChaosOptions, "seed" | "orders" | "kills" | "quarantineMs" | "workers">;

/**
 * Orders to which anything may happen in any sequence: details, refunds, edits, merges, every status of the service, reports, deletions,
 * decisions of staff, while both servers misbehave and processes are killed. Then all is well again, and what store, service, ledger,
 * patient and mails say has to agree.
 */
export async function runLives(
  options: Options,
  tell: (line: string) => void,
): Promise<LivesReport> {
  const { seed } = options;
  const startedAt = performance.now();
  const folder = openControlFolder();
  try {
    await using world = await startWorld({
      workers: options.workers,
      quarantineMs: options.quarantineMs,
      env: {
        PATHWAY_CREATE_TIMEOUT_MS: String(CREATE_TIMEOUT_MS),
        PATHWAY_SYNC_INTERVAL_MS: "2000",
        PATHWAY_MAINTENANCE_INTERVAL_MS: "8000",
        PATHWAY_CRASH_CONTROL_DIR: folder.path,
        LOG_LEVEL: "error",
      },
    });
    const stage = openStage(world, await stock(world), options, tell);
    const tally = newTally();
    const killer = createProcessKiller({
      world,
      folder,
      random: randomFrom(seed + 2),
      tally,
      target: options.kills,
      mayStrike: () => killsOf(tally) <= KILLS_AHEAD + options.kills * stage.progress(),
      letStart: () => false,
      freezeMs: CREATE_TIMEOUT_MS + options.quarantineMs + FREEZE_BEYOND_MS,
      databaseMs: 0,
      isOver: () => stage.progress() === 1,
    });
    const over = new AbortController();
    const weather = changeWeather(world, randomFrom(seed + 1), over.signal);
    await Promise.all([stage.play(), killer.run()]);
    over.abort();
    await weather;
    await setFaults(world, []);
    tell(`all is well again after ${killsOf(tally)} kills; waiting for the rest`);
    const open = await settle(world);
    const { referralsByReferenceNumber } = await world.console.stats();
    return {
      seed,
      lives: stage.lives.length,
      kills: killsOf(tally),
      disturbed: tally.asked + tally.frozen,
      referrals: Object.values(referralsByReferenceNumber).reduce((sum, one) => sum + one, 0),
      seconds: Math.round((performance.now() - startedAt) / 1000),
      acts: stage.acts,
      contradictions: [...stage.unanswered, ...open, ...(await judgeStage(world, stage))],
    };
  } finally {
    folder.remove();
  }
}

type Stage = ReturnType<typeof openStage>;

/** Everybody's lives, some at once, and what is noted about them. */
function openStage(
  world: TestWorld,
  shelf: Shelf,
  { seed, orders }: Options,
  tell: (line: string) => void,
) {
  const acts: LivesReport["acts"] = {};
  const lives: Life[] = [];
  const trails = new Map<string, string[]>();
  const unanswered: string[] = [];
  let next = 0;
  let ended = 0;
  const liveOn = async () => {
    while (next < orders) {
      const nth = next++;
      const random = randomFrom(seed * 1000 + nth);
      const life = await beBorn(world, { random, name: `${seed}-${nth}`, shelf });
      lives.push(life);
      const trail: string[] = [];
      trails.set(life.name, trail);
      await live(life, (act, error) => {
        acts[act] ??= { done: 0, refused: 0 };
        acts[act][error === null ? "done" : "refused"]++;
        trail.push(error === null ? act : `${act}, refused: ${String(error).slice(0, 120)}`);
        if (error !== null && !isAnswer(error))
          unanswered.push(`${life.name}: nobody answers where ${act}: ${String(error)}`);
      });
      if (++ended % 10 === 0) tell(`${ended}/${orders} lives`);
    }
  };
  return {
    acts,
    lives,
    trails,
    unanswered,
    /** The share of the lives that are over. */
    progress: () => (orders === 0 ? 1 : ended / orders),
    async play(): Promise<void> {
      await Promise.all(Array.from({ length: AT_ONCE }, liveOn));
    },
  };
}

/** The contradictions, each with what happened to its order. */
async function judgeStage(world: TestWorld, { lives, trails }: Stage): Promise<string[]> {
  const faults = await judgeLives(world, lives);
  return faults.map((fault) => {
    const [name = ""] = fault.split(/[ :]/);
    return [fault, ...(trails.get(name) ?? [])].join("\n    ");
  });
}

/** Each act as often as it weighs, beside the others. */
const [FIRST, ...REST] = Object.entries(ACTS).flatMap((act) =>
  Array.from({ length: Math.round(act[1].weight * 20) }, () => act),
);
if (!FIRST) throw new Error("Nobody does anything");
const TICKETS: readonly [typeof FIRST, ...(typeof FIRST)[]] = [FIRST, ...REST];

type Shelf = [string, ...string[]];

/** Variants that are ordered as tests, of each kind. */
async function stock(world: TestWorld): Promise<Shelf> {
  const both = await sellBothParts(world, "Private and Medicare");
  const mapped = world.line.products.filter(
    ({ mapsTo }) => mapsTo.bundleId || mapsTo.tests || mapsTo.medicareTests,
  );
  return [both.variantId, ...mapped.map(({ variantId }) => variantId)];
}

async function beBorn(
  world: TestWorld,
  { random, name, shelf }: { random: Random; name: string; shelf: Shelf },
): Promise<Life> {
  const email = `life-${name}@example.com`;
  const { id } = await world.store.createCustomer({ email, firstName: "Kim", lastName: "Lee" });
  const first = { variantId: random.pick(shelf), quantity: 1 + random.below(2) };
  const second = { variantId: random.pick(shelf), quantity: 1 };
  const isTwo = random.next() < 0.25 && second.variantId !== first.variantId;
  const order = await world.store.createOrder({
    customerId: id,
    lines: isTwo ? [first, second] : [first],
    shippingAddress: SHIPPING_ADDRESS,
  });
  return { world, random, order, buyer: { id, api: world.customer(id) }, name };
}

async function live(life: Life, note: (act: string, error: unknown) => void) {
  const { random } = life;
  const doOne = async (name: string, does: (life: Life) => Promise<unknown>) => {
    // Somebody who tries again wants the same as before.
    const choice = random.below(2 ** 32);
    const tryOnce = () => does({ ...life, random: randomFrom(choice) });
    await retryThroughOutage(tryOnce, PATIENCE, isAnswer).then(
      () => note(name, null),
      (error: unknown) => note(name, error),
    );
    await delay(random.below(900));
  };
  await delay(random.below(2500));
  if (random.next() < 0.85) await doOne("the buyer gives details", giveDetails);
  await delay(random.below(2500));
  for (let steps = STEPS.least + random.below(STEPS.more); steps > 0; steps--) {
    const [name, { does }] = random.pick(TICKETS);
    await doOne(name, does);
  }
}

/** Whether somebody was there to refuse it. Silence, and a server's excuse, are no answers. */
function isAnswer(error: unknown): boolean {
  if (error instanceof UnexpectedAnswer) return error.status < 500;
  return !(error instanceof TypeError || error instanceof DOMException);
}

/** One fault after another, and between them none. */
async function changeWeather(world: TestWorld, random: Random, over: AbortSignal): Promise<void> {
  const pause = (ms: number) => delay(ms, undefined, { signal: over }).catch(() => {});
  const [first, ...others] = FAULTS;
  if (!first) return;
  while (!over.aborted) {
    await setFaults(world, [random.pick([first, ...others])]);
    await pause(1500);
    await setFaults(world, []);
    await pause(1000 + random.below(3000));
  }
}

const REGULAR =
  /sync-connection|maintain-shop|import-orders|send-reminder|read-store-facts|alert-attention|correct-referrals/;

/** Requests that change by themselves, although no job of theirs may be due: those of a process that died are found by maintenance. */
const MOVING = `SELECT count(*) FROM referral_requests WHERE state IN ('ready', 'sending', 'ambiguous') AND coalesce(result_code, reason_code) IS NULL`;

/** Mails that were put off: for further news, or since a process died before it knew whether the last one went out. */
const MAILS = `SELECT (SELECT count(*) FROM pgboss.job WHERE name = 'send-mail' AND state IN ('created', 'retry', 'active'))
  + (SELECT count(*) FROM outbox WHERE name = 'send-mail')`;

/**
 * Waits until nothing is under way, and the app has looked through the store's orders since all is well. Work that failed often waits for
 * minutes by now, and what it waited for is well again. Returns what is under way for ever.
 */
async function settle({ sql }: TestWorld): Promise<string[]> {
  const until = performance.now() + SETTLE_MS;
  const wellSince = new Date();
  for (let quiet = 0; quiet < QUIET_LOOKS; ) {
    await sql.rows(
      z.unknown(),
      `UPDATE pgboss.job SET start_after = now() WHERE start_after > now()
       AND (state = 'retry' OR state = 'created' AND name IN ('refetch-referral', 'refetch-result', 'create-referral', 'resolve-ambiguous', 'send-mail'))`,
    );
    const due = (await dueWork(sql)).filter((one) => !REGULAR.test(one));
    const moving = await sql.count(MOVING);
    const looks = await sql.count(LOOKS_MISSING(wellSince));
    const mails = await sql.count(MAILS);
    quiet = due.length + moving + looks + mails === 0 ? quiet + 1 : 0;
    if (performance.now() > until)
      return [
        `Still under way: ${due.join("; ")}; ${moving} requests; ${looks} looks at the store; ${mails} mails`,
      ];
    await delay(500);
  }
  return [];
}

/** The report as a table for people. */
export const livesText = ({ acts, contradictions, ...sums }: LivesReport): string =>
  [
    ...Object.entries(acts).map(
      ([act, { done, refused }]) => `  ${act}: ${done}, refused ${refused}`,
    ),
    `${sums.lives} lives, ${sums.kills} kills, ${sums.disturbed} stops, ${sums.referrals} referrals, ${sums.seconds} s`,
    `${contradictions.length} contradictions`,
    ...contradictions,
  ].join("\n");
