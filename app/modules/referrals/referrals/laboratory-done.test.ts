import { expect, test } from "vitest";
import { BOTH_PARTS, startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { RELEASE, REVIEWER } from "../../../../test/database/seed.ts";
import { resultSnapshot } from "../../../../test/database/snapshots.ts";
import type { OrderedItems } from "../referral-service.ts";
import { releaseResults } from "../release-result.ts";
import { refetchResult } from "../results/refetch-result.ts";

const db = await openTestDatabase();

const NORMAL = { normal: 1, abnormal: 0, critical: 0, total: 1 };
const CRITICAL = { normal: 0, abnormal: 0, critical: 1, total: 1 };

/** How often the store is to be told of something since the last look. */
async function takeTold(shop: string, milestone: string) {
  const { rowCount } = await db.pool.query(
    `DELETE FROM outbox WHERE shop = $1 AND name = 'publish-order-status'
       AND payload->>'milestone' = $2`,
    [shop, milestone],
  );
  return rowCount;
}

/** A test whose store is told, with a result that the service tells of one referral. */
async function start(biomarkerSummary: typeof NORMAL, items?: OrderedItems) {
  const settings = {
    ...({ tagOrders: true, releasePolicy: "hold_critical" } as const),
    reviewer: REVIEWER,
  };
  const one = await startCreated(db, items ? { settings, items } : { settings });
  const { shop, ports, service, uuids } = one;
  const result = resultSnapshot({ referralUuid: uuids()[0] ?? "", biomarkerSummary });
  const real = await ports.services.forConnection(shop, "staging");
  if (!real) throw new Error("no service");
  const services = { forConnection: async () => ({ ...real, getResult: async () => result }) };
  const target = { shop, environment: "staging", uuid: result.uuid } as const;
  const told = (milestone = "results_ready") => takeTold(shop, milestone);
  const complete = async (uuid: string | undefined) => {
    service.set(String(uuid), { status: "COMPLETE" });
    await one.refetch();
  };
  const issued = () => told("referral_issued");
  return {
    ...one,
    told,
    issued,
    complete,
    reads: () => refetchResult({ ...ports, services }, target),
  };
}

test.each([
  ["harmless", NORMAL],
  ["held, because it is critical", CRITICAL],
])(
  "a result that is %s is told to the store when the laboratory is done, and once",
  async (_, summary) => {
    for (const isResultFirst of [true, false]) {
      const { shop, requestId, ports, told, complete, reads, uuids, refetch } =
        await start(summary);
      if (isResultFirst) await reads();
      expect(await told()).toBe(0);
      await complete(uuids()[0]);
      expect(await told()).toBe(1);
      await reads();
      await refetch();
      const wish = { shop, requestId, record: { ...RELEASE, contacted: true } };
      await releaseResults(ports, { ...wish, actor: "staff:7" });
      expect(await told()).toBe(0);
    }
  },
);

test("a test with two referrals is told once both are done", async () => {
  const { told, complete, uuids } = await start(NORMAL, BOTH_PARTS);
  const [first, second] = uuids();
  await complete(first);
  expect(await told()).toBe(0);
  await complete(second);
  expect(await told()).toBe(1);
});

test("a referral that comes deleted and complete is told to nobody as done", async () => {
  const { told, service, uuids, clock, refetch } = await start(NORMAL);
  clock.advance(60_000);
  service.set(String(uuids()[0]), { status: "COMPLETE", deletedAt: clock.now().toISOString() });
  await refetch();
  expect(await told()).toBe(0);
});

test("a status that goes back and comes again is told to the store once", async () => {
  const { told, complete, uuids, service, clock, refetch, issued } = await start(NORMAL);
  const [uuid] = uuids();
  await complete(uuid);
  expect(await told()).toBe(1);
  await issued();
  for (const status of ["ISSUED", "COMPLETE", "PARTIAL_RESULTS", "ISSUED", "COMPLETE"]) {
    clock.advance(60_000);
    service.set(String(uuid), { status });
    await refetch();
  }
  expect(await told()).toBe(0);
  expect(await issued(), "no form was issued by going back").toBe(0);
});

test("two referrals that are done one after the other, and one of them twice, are told when both are", async () => {
  const { told, complete, uuids, service, clock, refetch } = await start(NORMAL, BOTH_PARTS);
  const [first, second] = uuids();
  await complete(first);
  clock.advance(60_000);
  service.set(String(first), { status: "PARTIAL_RESULTS" });
  await refetch();
  await complete(second);
  expect(await told()).toBe(0);
  await complete(first);
  expect(await told()).toBe(1);
  service.set(String(first), { status: "PARTIAL_RESULTS" });
  await refetch();
  await complete(first);
  expect(await told()).toBe(0);
});
