/**
 * `npm run chaos`: paid orders while processes are killed and both servers misbehave, and then the count that
 * matters. Prints one JSON line; exit 0 only when every paid unit has exactly one referral at the service and
 * nothing else has one.
 *
 *     npm run chaos -- [--orders 200] [--kills 60] [--seed N]
 */
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { eventually, startWorld, type TestWorld } from "../harness/index.ts";
import { readArguments } from "./arguments.ts";
import { randomFrom } from "./random.ts";
import { type Bought, buy, giveDetails } from "./shoppers.ts";
import { makeTrouble } from "./trouble.ts";

const CUSTOMERS = 10;
/** How long everything may take to come right once nothing is broken any more. */
const SETTLE_MS = 10 * 60_000;
const stateCount = z.object({ state: z.string(), count: z.coerce.number() });
const reference = z.object({ reference: z.string() });

const { orders, kills, seed } = readArguments(process.argv.slice(2));
const tell = (line: string) => process.stderr.write(`  ${line}\n`);
tell(`seed ${seed}: ${orders} orders, ${kills} kills`);

const startedAt = performance.now();
await using world = await startWorld({
  workers: 1,
  quarantineMs: 4000,
  // Short waits, in the proportions of the real ones: what is late is later than no answer, sooner than quarantine.
  env: { PATHWAY_CREATE_TIMEOUT_MS: "4000", PATHWAY_TAILER_INTERVAL_MS: "3000" },
});
const random = randomFrom(seed);
const customers = await Promise.all(
  Array.from({ length: CUSTOMERS }, async (_, index) => {
    const email = `shopper-${seed}-${index}@example.com`;
    const created = await world.store.createCustomer({ email, firstName: "Kim", lastName: "Lee" });
    return created.id;
  }),
);

const bought: Bought[] = [];
const isSold = () => bought.length >= orders;
const trouble = makeTrouble(world, random, { kills, over: isSold, tell });
await Promise.all([sell(), fillInForms(), trouble]);
const { kills: killed, faults } = await trouble;
tell("all is well again; waiting for the rest");
const verdict = await settle(world, bought);
const seconds = Math.round((performance.now() - startedAt) / 1000);
console.log(JSON.stringify({ seed, orders: bought.length, killed, faults, ...verdict, seconds }));
process.exitCode = verdict.lost + verdict.duplicated + verdict.unasked === 0 ? 0 : 1;

async function sell(): Promise<void> {
  while (!isSold()) {
    const customer = customers[random.below(customers.length)];
    if (customer) bought.push(await buy(world, random, customer));
    if (bought.length % 50 === 0) tell(`${bought.length} orders paid`);
    await delay(random.below(120));
  }
}

/** Shoppers come back until every form is filled in, whatever happens to the app meanwhile. */
async function fillInForms(): Promise<void> {
  while (!isSold()) {
    await fillInOnce();
    await delay(250);
  }
}

async function fillInOnce(): Promise<void> {
  // The app may be down just now; there is a next time.
  for (const customer of customers) await giveDetails(world, customer).catch(() => {});
}

interface Verdict {
  units: number;
  referrals: number;
  lost: number;
  duplicated: number;
  /** Referrals of reference numbers that no paid unit has. */
  unasked: number;
}

/** Waits until every unit has its referral, then counts what the service itself has. */
async function settle(settling: TestWorld, sold: Bought[]): Promise<Verdict> {
  const units = sold.reduce((sum, order) => sum + order.units, 0);
  let told = "";
  const allCreated = async () => {
    await fillInOnce();
    const statement = "SELECT state, count(*) FROM referral_requests GROUP BY state";
    const states = await settling.sql.rows(stateCount, statement);
    const created = states.find(({ state }) => state === "created")?.count ?? 0;
    const text = states.map(({ state, count }) => `${state} ${count}`).join(", ");
    if (text !== told) tell(text);
    told = text;
    if (created < units) throw new Error(`${text} of ${units}`);
  };
  const patience = { timeoutMs: SETTLE_MS, intervalMs: 1000, what: "a referral for every unit" };
  await eventually(allCreated, patience).catch((error: unknown) => tell(String(error)));
  const statement = "SELECT reference_number AS reference FROM referral_requests";
  const known = await settling.sql.rows(reference, statement);
  const ours = new Set(known.map((row) => row.reference));
  const counts = Object.entries((await settling.console.stats()).referralsByReferenceNumber);
  const ordered = counts.filter(([number]) => ours.has(number));
  return {
    units,
    referrals: counts.reduce((sum, [, count]) => sum + count, 0),
    lost: units - ordered.length,
    duplicated: ordered.reduce((sum, [, count]) => sum + count - 1, 0),
    unasked: counts.length - ordered.length,
  };
}
