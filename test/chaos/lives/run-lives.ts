import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { dueWork } from "../../flows/rows.ts";
import { sellBothParts } from "../../harness/both-parts.ts";
import { SHIPPING_ADDRESS, startWorld, type TestWorld } from "../../harness/index.ts";
import type { ChaosOptions } from "../arguments.ts";
import { FAULTS, setFaults } from "../phases.ts";
import { type Random, randomFrom } from "../random.ts";
import { ACTS, giveDetails, type Life } from "./acts.ts";
import { judgeLives } from "./judge-lives.ts";

const AT_ONCE = 5;
const STEPS = { least: 5, more: 9 };
const SETTLE_MS = 180_000;
/** So many looks in a row have to find nothing that is due. */
const QUIET_LOOKS = 8;

export interface LivesReport {
  seed: number;
  lives: number;
  /** How often each act was done, and how often it was refused. */
  acts: Record<string, { done: number; refused: number }>;
  /** The statements that do not agree, each with the whole life of its order. */
  contradictions: string[];
}

/**
 * Orders to which anything may happen in any sequence: details, refunds, edits, merges, every status of the service, reports, deletions,
 * decisions of staff, while both servers misbehave. Then all is well again, and what store, service, ledger, patient and mails say has to agree.
 */
export async function runLives(
  options: Pick<ChaosOptions, "seed" | "orders" | "quarantineMs" | "workers">,
  tell: (line: string) => void,
): Promise<LivesReport> {
  const { seed, orders } = options;
  await using world = await startWorld({
    workers: options.workers,
    quarantineMs: options.quarantineMs,
    env: {
      PATHWAY_CREATE_TIMEOUT_MS: "3000",
      PATHWAY_SYNC_INTERVAL_MS: "2000",
      PATHWAY_MAINTENANCE_INTERVAL_MS: "8000",
      LOG_LEVEL: "error",
    },
  });
  const shelf = await stock(world);
  const acts: LivesReport["acts"] = {};
  const lives: Life[] = [];
  const trails = new Map<string, string[]>();
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
      await live(life, (act, refusal) => {
        acts[act] ??= { done: 0, refused: 0 };
        acts[act][refusal === null ? "done" : "refused"]++;
        trail.push(refusal === null ? act : `${act}, refused: ${refusal.slice(0, 120)}`);
      });
      if (++ended % 10 === 0) tell(`${ended}/${orders} lives`);
    }
  };
  const over = new AbortController();
  const weather = changeWeather(world, randomFrom(seed + 1), over.signal);
  await Promise.all(Array.from({ length: AT_ONCE }, liveOn));
  over.abort();
  await weather;
  await setFaults(world, []);
  tell("all is well again; waiting for the rest");
  await settle(world);
  const faults = await judgeLives(world, lives);
  const contradictions = faults.map((fault) => {
    const [name = ""] = fault.split(/[ :]/);
    return [fault, ...(trails.get(name) ?? [])].join("\n    ");
  });
  return { seed, lives: lives.length, acts, contradictions };
}

/** Each act as often as it weighs, beside the others. */
const [FIRST, ...REST] = Object.entries(ACTS).flatMap((act) =>
  Array.from({ length: Math.round(act[1].weight * 20) }, () => act),
);
if (!FIRST) throw new Error("Nobody does anything");
const TICKETS: readonly [typeof FIRST, ...(typeof FIRST)[]] = [FIRST, ...REST];

/** Variants that are ordered as tests, of each kind. */
async function stock(world: TestWorld): Promise<[string, ...string[]]> {
  const both = await sellBothParts(world, "Private and Medicare");
  const mapped = world.line.products.filter(
    ({ mapsTo }) => mapsTo.bundleId || mapsTo.tests || mapsTo.medicareTests,
  );
  return [both.variantId, ...mapped.map(({ variantId }) => variantId)];
}

async function beBorn(
  world: TestWorld,
  { random, name, shelf }: { random: Random; name: string; shelf: [string, ...string[]] },
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

async function live(life: Life, note: (act: string, refusal: string | null) => void) {
  const { random } = life;
  const doOne = async (name: string, does: (life: Life) => Promise<unknown>) => {
    await does(life).then(
      () => note(name, null),
      (error: unknown) => note(name, String(error)),
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

/** Waits until nothing is under way. Work that failed often waits for minutes by now, and what it waited for is well again. */
async function settle({ sql }: TestWorld): Promise<void> {
  const until = performance.now() + SETTLE_MS;
  for (let quiet = 0; quiet < QUIET_LOOKS; ) {
    await sql.rows(
      z.unknown(),
      `UPDATE pgboss.job SET start_after = now() WHERE start_after > now()
       AND (state = 'retry' OR state = 'created' AND name IN ('refetch-referral', 'refetch-result', 'create-referral', 'resolve-ambiguous'))`,
    );
    const due = (await dueWork(sql)).filter((one) => !REGULAR.test(one));
    quiet = due.length === 0 ? quiet + 1 : 0;
    if (performance.now() > until) throw new Error(`Still under way: ${due.join("; ")}`);
    await delay(500);
  }
}

/** The report as a table for people. */
export const livesText = ({ lives, acts, contradictions }: LivesReport): string =>
  [
    ...Object.entries(acts).map(
      ([act, { done, refused }]) => `  ${act}: ${done}, refused ${refused}`,
    ),
    `${lives} lives, ${contradictions.length} contradictions`,
    ...contradictions,
  ].join("\n");
