import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import type { TestWorld } from "../harness/index.ts";
import { type LoadGenerator, retryThroughOutage } from "./load-generator.ts";
import type { Office } from "./staff.ts";
import { FORMS_STORED, REFERRALS_DUE } from "./unit-sql.ts";

/** How long everything may take to come right once nothing is broken any more. */
const SETTLE_MS = 12 * 60_000;
/** Longer than anything that is about to be written takes. */
const QUIET_MS = 2500;

const repaired = z.object({ imported: z.coerce.number(), changed: z.coerce.number() });
/** How many orders the regular looks at the store found to be missing, and to be other than was known. */
export type Repaired = z.infer<typeof repaired>;

/**
 * Waits until nothing is under way any more, and the app has looked through the store's orders once since all is
 * well: what no message told it, it must find out by itself.
 */
export async function settle(
  world: TestWorld,
  { load, office }: { load: LoadGenerator; office: Office },
  tell: (line: string) => void,
): Promise<Repaired> {
  const giveUpAt = performance.now() + SETTLE_MS;
  const wellSince = new Date();
  let told = "";
  let isRelaxed = false;
  let quietSince: number | null = null;
  while (performance.now() < giveUpAt) {
    await load.fillInForms();
    if (!isRelaxed) isRelaxed = await office.relax();
    await office.decide();
    const open = await retryThroughOutage(async () => {
      await hurry(world);
      return openWork(world, wellSince);
    });
    const text = await retryThroughOutage(() => statesOf(world));
    const line = `${text}; under way: ${open.join(", ") || "nothing"}`;
    if (line !== told) tell(line);
    told = line;
    quietSince = open.length === 0 ? (quietSince ?? performance.now()) : null;
    if (quietSince !== null && performance.now() - quietSince > QUIET_MS) break;
    await delay(500);
  }
  const [sum] = await world.sql.rows(
    repaired,
    "SELECT coalesce(sum(imported), 0) AS imported, coalesce(sum(changed), 0) AS changed FROM order_imports",
  );
  return sum ?? { imported: 0, changed: 0 };
}

/**
 * Time passes: jobs that failed often wait for minutes by now, and what they waited for is well again. So does the look at a
 * PDF that could not be had once, ten minutes later.
 */
const hurry = ({ sql }: TestWorld) =>
  sql.rows(
    z.object({}),
    `UPDATE pgboss.job SET start_after = now() WHERE start_after > now()
     AND (state = 'retry' OR state = 'created' AND name IN ('refetch-referral', 'refetch-result'))`,
  );

const UNDER_WAY = `SELECT count(*) FROM referral_requests WHERE state = 'held'
  OR (state = 'ambiguous' AND (review_code IN ('ambiguous', 'half_created') OR review_code = 'unresolved'))
  OR (review_code IS NULL AND state IN ('awaiting_details', 'ready', 'sending', 'ambiguous'))`;

/** How many requests will still change by themselves, or wait for a form or for staff. */
export const underWay = ({ sql }: TestWorld): Promise<number> => sql.count(UNDER_WAY);

/** Work that is still open, by kind: requests, messages, jobs, forms that have not come, looks not taken. */
const OPEN_WORK = (wellSince: Date) => ({
  requests: UNDER_WAY,
  received: "SELECT count(*) FROM inbox WHERE state IN ('received', 'queued', 'parked')",
  relayed: `SELECT count(*) FROM outbox WHERE start_after <= now() AND name NOT IN ${REGULAR}`,
  jobs: `SELECT count(*) FROM pgboss.job WHERE state IN ('created', 'retry', 'active')
    AND name NOT IN ${REGULAR} AND name <> 'resolve-ambiguous' AND name NOT LIKE '\\_\\_pgboss%'`,
  forms: `SELECT count(*) FROM referral_requests r WHERE r.state = 'created' AND r.cancellation_status IS NULL
    AND ${FORMS_STORED} < ${REFERRALS_DUE}`,
  looks: LOOKS_MISSING(wellSince),
});

/** One, as long as the app has not looked through the store's orders since then. */
export const LOOKS_MISSING = (since: Date): string =>
  `SELECT CASE WHEN count(*) > 0 THEN 0 ELSE 1 END FROM order_imports
    WHERE state = 'done' AND until >= '${since.toISOString()}'`;

/** The kinds of work that are open, with how much of each; empty when nothing is. */
async function openWork({ sql }: TestWorld, wellSince: Date): Promise<string[]> {
  const counts = Object.entries(OPEN_WORK(wellSince)).map(
    async ([kind, query]) => [kind, await sql.count(query)] as const,
  );
  const open = (await Promise.all(counts)).filter(([, count]) => count > 0);
  return open.map(([kind, count]) => `${kind} ${count}`);
}

/**
 * Jobs that come again and again, whether or not anything happens. The maintenance asks for the store's facts each time: where it comes
 * every few seconds, a busy machine is never without them.
 */
export const REGULAR =
  "('sync-connection', 'maintain-shop', 'import-orders', 'read-store-facts', 'send-reminder')";

const stateCount = z.object({ state: z.string(), count: z.coerce.number() });

/** How many requests are in each state, in words. */
export async function statesOf({ sql }: TestWorld): Promise<string> {
  const states = await sql.rows(
    stateCount,
    "SELECT state, count(*) FROM referral_requests GROUP BY state ORDER BY state",
  );
  return states.map(({ state, count }) => `${state} ${count}`).join(", ");
}
