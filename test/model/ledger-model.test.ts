/**
 * The ledger against every order of events that can be thought of: real use cases, several processes that take
 * turns at each await, deaths, lost connections, and a service that keeps no more promises than its interface
 * makes. PATHWAY_MODEL_SEQUENCES says how many sequences (500), PATHWAY_MODEL_SEED which.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { BEHAVIOURS, STALE_MS } from "./model-service.ts";
import { type ModelWorld, OVERDUE_MS, openSoldWorld, QUARANTINE_MS } from "./model-world.ts";

const SEQUENCES = Number(process.env.PATHWAY_MODEL_SEQUENCES ?? 500);
const SEED = process.env.PATHWAY_MODEL_SEED ? Number(process.env.PATHWAY_MODEL_SEED) : undefined;

/** Something that can happen; its name and figures are what a failure shows. */
class Happening implements fc.AsyncCommand<object, ModelWorld> {
  readonly words: string;
  readonly act: (world: ModelWorld) => unknown;
  constructor(words: string, act: (world: ModelWorld) => unknown) {
    this.words = words;
    this.act = act;
  }
  check = () => true;
  async run(_model: object, world: ModelWorld): Promise<void> {
    await this.act(world);
    const [wrong] = world.violations();
    if (wrong) throw new Error(wrong);
  }
  toString = () => this.words;
}

const choice = fc.nat({ max: 7 });
const chosen = (name: string, act: (world: ModelWorld, n: number) => unknown) =>
  choice.map((n) => new Happening(`${name}(${n})`, (world) => act(world, n)));
const always = (name: string, act: (world: ModelWorld) => unknown) =>
  fc.constant(new Happening(name, act));

/** Several steps of whoever, in any order: most of what happens. */
const steps = fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 12 }).map(
  (turns) =>
    new Happening(`steps(${turns.join(" ")})`, async (world) => {
      for (const turn of turns) await world.step(turn);
    }),
);
const times = fc
  .constantFrom(1000, 6000, OVERDUE_MS - 1, OVERDUE_MS, QUARANTINE_MS, QUARANTINE_MS + OVERDUE_MS)
  .map((ms) => new Happening(`advance(${ms})`, (world) => world.advance(ms)));
const behaviours = fc
  .array(fc.constantFrom(...BEHAVIOURS), { minLength: 1, maxLength: 3 })
  .map((list) => new Happening(`service: ${list}`, (world) => world.service.next(...list)));
const settings = fc
  .record({ strictMode: fc.boolean(), holdOrders: fc.boolean() })
  .map((change) => new Happening(JSON.stringify(change), (world) => world.settings(change)));

const HAPPENINGS: fc.Arbitrary<fc.AsyncCommand<object, ModelWorld>>[] = [
  ...Array.from({ length: 10 }, () => steps),
  ...Array.from({ length: 6 }, () => chosen("work", (world, n) => world.work(n))),
  ...Array.from({ length: 2 }, () => times),
  ...Array.from({ length: 2 }, () => behaviours),
  chosen("giveDetails", (world, n) => world.giveDetails(n)),
  chosen("kill", (world, n) => world.kill(n)),
  chosen("loseConnection", (world, n) => world.loseConnection(n)),
  chosen("giveAgain", (world, n) => world.giveAgain(n)),
  chosen("retry", (world, n) => world.retry(n)),
  chosen("release", (world, n) => world.release(n)),
  chosen("event", (world, n) => world.event(n)),
  fc.nat({ max: 3 }).map((n) => new Happening(`quantity(${n})`, (world) => world.setQuantity(n))),
  always("cancelOrder", (world) => world.cancelOrder()),
  always("listBreaks", (world) => {
    world.service.listWorks = !world.service.listWorks;
  }),
  always("listIsStale", (world) => {
    world.service.staleMs = STALE_MS;
  }),
  always("uninstall", (world) => world.uninstall()),
  always("install", (world) => world.install()),
  settings,
];

test("left in peace, units whose details are given have their referrals: the model does something", async () => {
  const world = await openSoldWorld();
  world.giveDetails(1);
  await world.drain();
  await world.settle();
  expect(await world.verdict()).toEqual([]);
  expect(world.requests().map(({ state }) => state)).toEqual(["created", "created"]);
  expect(world.service.uuids()).toHaveLength(2);
});

test(`${SEQUENCES} sequences end with one referral for each unit that is kept`, async () => {
  const sequences = fc.commands(HAPPENINGS, { maxCommands: 60, size: "max" });
  await fc.assert(
    fc.asyncProperty(sequences, async (happenings) => {
      const world = await openSoldWorld();
      await fc.asyncModelRun(() => ({ model: {}, real: world }), happenings);
      await world.drain();
      await world.settle();
      expect(await world.verdict()).toEqual([]);
    }),
    { numRuns: SEQUENCES, ...(SEED === undefined ? {} : { seed: SEED }) },
  );
}, 1_800_000);
