import { beforeEach, expect, test } from "vitest";
import { START } from "../../../../test/database/clock.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { DAY_MS, overviewRun } from "../../../../test/database/overview-run.ts";
import type { Environment } from "../../shops/connection.ts";
import { readOverdue } from "./overdue-results.ts";

const db = await openTestDatabase();
const { start, inShop, order } = overviewRun(db);
let number: number;

beforeEach(async () => {
  await start();
  number = 0;
});

const publish = (maximums: Record<string, number | null>, bundles: Record<string, string[]> = {}) =>
  inShop((tenant) =>
    tenant.catalogues.save({
      environment: "staging",
      tests: Object.entries(maximums).map(([id, maximumDays]) => ({
        ...{ id, name: id, shortName: id, priceCents: 100, description: "", category: null },
        ...{ turnaround: { minimumDays: 1, maximumDays }, medicare: false },
      })),
      bundles: Object.entries(bundles).map(([id, tests]) => ({
        ...{ id, name: id, priceCents: 100, description: "" },
        tests: tests.map((one) => ({ id: one, name: one })),
      })),
      fetchedAt: START,
    }),
  );

/** A referral whose form was issued so many days before START, and nothing has come of it. */
async function issued(daysAgo: number, ordered: { tests?: string[]; bundle?: string }) {
  const [id] = await order(++number, [{ state: "created", referrals: [{ status: "ISSUED" }] }]);
  await db.pool.query("UPDATE referral_requests SET tests = $2, bundle_id = $3 WHERE id = $1", [
    ...[id, ordered.tests ?? [], ordered.bundle ?? null],
  ]);
  await db.pool.query("UPDATE referrals SET service_created_at = $2 WHERE request_id = $1", [
    ...[id, new Date(START.getTime() - daysAgo * DAY_MS)],
  ]);
  return `#${number}`;
}

async function overdue(environment: Environment = "staging") {
  const { count, latest } = await inShop((tenant) =>
    readOverdue(tenant, { environment, now: START }),
  );
  return { count, names: latest.map(({ orderName }) => orderName) };
}

test("a test is overdue once its slowest test has taken longer than it may", async () => {
  await publish({ fbc: 2, iron: 5 });
  await issued(1, { tests: ["fbc"] });
  const late = await issued(3, { tests: ["fbc"] });
  await issued(4, { tests: ["fbc", "iron"] });
  expect(await overdue()).toEqual({ count: 1, names: [late] });
});

test("a test that publishes no maximum is never overdue, alone or among others", async () => {
  await publish({ fbc: 2, gene: null });
  await issued(90, { tests: ["gene"] });
  await issued(90, { tests: ["fbc", "gene"] });
  await issued(90, { tests: ["not-in-the-catalogue"] });
  expect(await overdue()).toEqual({ count: 0, names: [] });
});

test("a bundle takes as long as its slowest test", async () => {
  await publish({ fbc: 2, iron: 5, gene: null }, { iron: ["fbc", "iron"], all: ["fbc", "gene"] });
  await issued(4, { bundle: "iron" });
  const late = await issued(6, { bundle: "iron" });
  await issued(90, { bundle: "all" });
  expect(await overdue()).toEqual({ count: 1, names: [late] });
});

test("forms that nobody used for months hide none that has just become overdue", async () => {
  await publish({ fbc: 2, gene: null });
  await issued(3, { tests: ["fbc"] });
  await db.pool.query(
    `INSERT INTO referrals (shop, uuid, environment, request_id, status, reference, origin,
       snapshot_sealed, service_created_at, service_updated_at, fetched_at)
     SELECT shop, gen_random_uuid(), environment, request_id, status, reference, origin,
       snapshot_sealed, service_created_at - n * interval '1 day', service_updated_at, fetched_at
     FROM referrals, generate_series(1, 300) AS n`,
  );
  const { count, names } = await overdue();
  expect(count).toBe(301);
  expect(names).toHaveLength(5);
  const latest = await inShop((tenant) =>
    readOverdue(tenant, { environment: "staging", now: START }),
  );
  expect(latest.latest[0]?.issuedAt).toEqual(new Date(START.getTime() - 3 * DAY_MS));
});

test("a shop that is live hears nothing of what it tried in staging", async () => {
  await publish({ fbc: 2 });
  await issued(3, { tests: ["fbc"] });
  expect(await overdue("production")).toEqual({ count: 0, names: [] });
});

test("nothing is overdue of a test whose data was destroyed, or that was taken back, unless its patient keeps it", async () => {
  await publish({ fbc: 2 });
  const set = (fields: string, name: string) =>
    db.pool.query(`UPDATE referral_requests SET ${fields} WHERE order_id = $1`, [
      `gid://shopify/Order/${name.slice(1)}`,
    ]);
  const takenBack = "cancellation_requested_by = 'store', cancellation_status = 'requested'";
  await set("redacted_at = now()", await issued(9, { tests: ["fbc"] }));
  await set(takenBack, await issued(9, { tests: ["fbc"] }));
  const kept = await issued(9, { tests: ["fbc"] });
  await set(`${takenBack}, kept = true`, kept);
  expect(await overdue()).toEqual({ count: 1, names: [kept] });
});
