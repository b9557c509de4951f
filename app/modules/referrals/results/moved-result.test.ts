import { expect, test } from "vitest";
import { startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { putRequest } from "../../../../test/database/put-request.ts";
import { readyRequest } from "../../../../test/database/seed.ts";
import { resultSnapshot } from "../../../../test/database/snapshots.ts";
import { openResult } from "../../access/open-result.ts";
import { gid } from "../../kernel/ids.ts";
import { createReferral } from "../create-referral.ts";
import { refetchWhenDue } from "../refetch-when-due.ts";
import { plainReason } from "../review-reason.ts";
import { refetchResult } from "./refetch-result.ts";

const db = await openTestDatabase();
const HOUR_MS = 3_600_000;
const SUMMARY = { normal: 9, abnormal: 1, critical: 1, total: 11 };

/** A critical result that its patient can open, and another patient's test, to which the service gives it next. */
async function start() {
  const first = await startCreated(db, { settings: { releasePolicy: "automatic" } });
  const { shop, clock, requestId, service } = first;
  const [mine = ""] = first.uuids();
  const theirs = await readyRequest(db, shop, { orderNumber: 2000 });
  await createReferral(first.ports, { shop, requestId: theirs });
  const other = String(service.referrals[0]?.uuid);
  const real = await first.ports.services.forConnection(shop, "staging");
  if (!real) throw new Error("no service");
  const at = () => clock.now().toISOString();
  let current = resultSnapshot({ referralUuid: mine, biomarkerSummary: SUMMARY, updatedAt: at() });
  const services = { forConnection: async () => ({ ...real, getResult: async () => current }) };
  const ports = { ...first.ports, services };
  const { uuid } = current;
  /** The same as a job does it that has been tried so often. */
  const looks = (referralUuid: string, retries: number) => {
    current = { ...current, referralUuid, referenceNumber: null, updatedAt: at() };
    const look = { shop, environment: "staging", uuid } as const;
    return refetchWhenDue(ports, "refetch-result", look, { retries });
  };
  /** The service says at this time whose the result is. */
  const tells = async (referralUuid: string, { updatedAt = at() } = {}) => {
    current = { ...current, referralUuid, updatedAt };
    return refetchResult(ports, { shop, environment: "staging", uuid });
  };
  await tells(mine);
  clock.advance(HOUR_MS);
  const viewer = { kind: "customer", customerId: gid("Customer", 7) } as const;
  return {
    ...{ shop, clock, mine, other, theirs, requestId, tells, looks, at, uuid },
    reasonOf: async (id: string) => (await first.find(id))?.reason?.code ?? null,
    stored: () => db.tenancy.inShop(shop, (tenant) => tenant.results.find(uuid)),
    isOpen: async () => (await openResult(ports, { shop, viewer, resultId: uuid })) !== null,
    /** What its first patient's order says of it, latest last. */
    story: async () =>
      (
        await db.pool.query(
          "SELECT kind FROM timeline WHERE shop = $1 AND request_id = $2 AND detail->>'uuid' = $3 ORDER BY id",
          [shop, requestId, uuid],
        )
      ).rows.map(({ kind }) => kind),
    mailed: async () =>
      (
        await db.pool.query(
          "SELECT kind FROM notifications WHERE shop = $1 AND request_id = $2 AND kind LIKE 'results_%'",
          [shop, requestId],
        )
      ).rows,
  };
}

test("a result that the service gives another patient is closed to the first one, and somebody is told today", async () => {
  const { tells, other, stored, isOpen, reasonOf, requestId, theirs, story, mailed } =
    await start();
  expect(await isOpen()).toBe(true);
  expect(await mailed()).toHaveLength(1);
  await expect(tells(other)).rejects.toThrow("referralUuid changed");
  expect(await stored()).toMatchObject({ requestId, otherPerson: true, releasedAt: null });
  expect(await isOpen()).toBe(false);
  expect(await reasonOf(requestId)).toBe("result_other_person");
  // Its patient is told again when it is theirs again.
  expect(await mailed()).toEqual([]);
  // Nothing of it reaches the other patient either.
  expect(await reasonOf(theirs)).toBeNull();
  const told = await story();
  expect(told.slice(-2)).toEqual(["result_other_person", "result_held_again"]);
  // Each turn has the same answer.
  await expect(tells(other)).rejects.toThrow("referralUuid changed");
  expect(await story()).toEqual(told);
});

test("so is one of a test that needs somebody for something else already", async () => {
  const { shop, tells, other, requestId, reasonOf } = await start();
  await db.tenancy.inShop(shop, (tenant) =>
    putRequest(tenant, requestId, { reviewReason: plainReason("withdrawal_refused") }),
  );
  await expect(tells(other)).rejects.toThrow();
  expect(await reasonOf(requestId)).toBe("result_other_person");
});

test("it is open again once the service says that it was the first patient's", async () => {
  const { tells, mine, other, stored, isOpen, reasonOf, requestId } = await start();
  await expect(tells(other)).rejects.toThrow();
  await tells(mine);
  expect(await stored()).toMatchObject({ otherPerson: false });
  expect(await isOpen()).toBe(true);
  expect(await reasonOf(requestId)).toBe("urgent_result_shown");
});

test("an answer from before the one that is stored takes nothing away", async () => {
  const { tells, mine, other, at, clock, isOpen, reasonOf, requestId } = await start();
  const updatedAt = at();
  clock.advance(HOUR_MS);
  await tells(mine);
  await expect(tells(other, { updatedAt })).rejects.toThrow();
  expect(await isOpen()).toBe(true);
  expect(await reasonOf(requestId)).toBe("urgent_result_shown");
});

test("a result that the service gives to a referral that nobody here knows of is closed once it says so again and again", async () => {
  const { looks, isOpen, reasonOf, requestId } = await start();
  const unknown = crypto.randomUUID();
  // A referral that was made in place of another may be heard of a moment later.
  for (const retries of [1, 2]) await expect(looks(unknown, retries)).rejects.toThrow();
  expect(await isOpen()).toBe(true);
  await looks(unknown, 3);
  expect(await isOpen()).toBe(false);
  expect(await reasonOf(requestId)).toBe("result_other_person");
});
