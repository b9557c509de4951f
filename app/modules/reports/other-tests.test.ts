import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { BOTH_PARTS } from "../../../test/database/created.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { CATALOGUE } from "../../../test/database/mapping-desk.ts";
import { startOddService } from "../../../test/database/odd-service.ts";
import { ONE_TEST, storeOrder } from "../../../test/database/seed.ts";
import { answer } from "../../clients/referral-service/testing/start-server.ts";
import { wireReferral } from "../../clients/referral-service/testing/wire-samples.ts";
import { gid } from "../kernel/ids.ts";
import { markHandled } from "./mark-handled.ts";

const db = await openTestDatabase();

const CODE = "other_tests";
const ORDER = gid("Order", 1001);

/** A service whose referrals have the tests that it is told to give them, the commercial one first. */
async function startGiving(tests: unknown[], items = ONE_TEST) {
  const referrals: Record<string, unknown>[] = [];
  const odd = await startOddService(
    db,
    ({ method, target, body }, response) => {
      if (method === "POST") {
        const { referenceNumber, metadata } = JSON.parse(body);
        for (const [at, own] of tests.entries())
          referrals.push({
            ...wireReferral({ referenceNumber, metadata, status: "ISSUED", tests: own }),
            ...{ uuid: randomUUID(), medicare: at === 1 },
          });
        return answer(response, 200, tests.length > 1 ? referrals : referrals[0]);
      }
      answer(
        response,
        200,
        referrals.find(({ uuid }) => target.endsWith(String(uuid))),
      );
    },
    items,
  );
  await db.tenancy.inShop(odd.shop, async (tenant) => {
    await tenant.catalogues.save(CATALOGUE);
    await tenant.orders.record(storeOrder({ id: ORDER }), new Map(), odd.clock.now());
  });
  expect(await odd.create()).toMatchObject({ kind: "created" });
  /** Changes what the service says of one of them, and hears of it. */
  async function become(at: number, now: Record<string, unknown> = {}) {
    odd.clock.advance(60_000);
    const referral = referrals[at] ?? {};
    Object.assign(referral, { updatedAt: odd.clock.now().toISOString(), ...now });
    await odd.refetch(String(referral.uuid));
  }
  /** The reading that is queued with its creation. */
  const again = (at: number) => odd.refetch(String(referrals[at]?.uuid));
  for (const at of tests.keys()) await again(at);
  const reason = async () => (await odd.find())?.reason?.code ?? null;
  const told = async () =>
    (await odd.story(odd.requestId)).filter((kind) => kind === "referral_other_tests").length;
  return { ...odd, become, again, reason, told };
}

const TWO_PARTS = { ...BOTH_PARTS, medicareTests: ["tsh"] };
const bundled = { ...ONE_TEST, bundleId: "check" };

test.each<[string, unknown[], typeof ONE_TEST | undefined]>([
  ["another test", [["tsh"]], undefined],
  ["one test more", [["fbc", "tsh"]], undefined],
  ["one test less", [["fbc"]], { ...ONE_TEST, tests: ["fbc", "tsh"] }],
  ["without the test beside its bundle", [["fbc"]], { ...bundled, tests: ["tsh"] }],
  ["without its Medicare test", [["fbc"], ["tsh"]], BOTH_PARTS],
])("tells once of a referral with %s", async (_, tests, items) => {
  const one = await startGiving(tests, items);
  expect(await one.reason()).toBe(CODE);
  await one.become(0);
  expect(await one.reason()).toBe(CODE);
  expect(await one.told()).toBe(1);
  expect(one.creates()).toHaveLength(1);
});

test.each<[string, unknown[], typeof ONE_TEST | undefined]>([
  ["the same test", [["fbc"]], undefined],
  ["the same one in capitals, twice", [[" FBC", "fbc"]], undefined],
  ["no test", [[]], undefined],
  ["nothing that can be read", [{ id: "tsh" }], undefined],
  ["an id that the catalogue does not have", [["full-blood-count"]], undefined],
  ["a test that the catalogue does not have beside it", [["fbc", "fee"]], undefined],
  ["another name of a test that has left the catalogue", [["tsh"]], { ...ONE_TEST, tests: ["t4"] }],
  ["more tests than the catalogue's bundle", [["fbc", "tsh"]], bundled],
  ["fewer tests than the catalogue's bundle", [["tsh"]], { ...bundled, tests: [] }],
  [
    "the tests of both parts on each",
    [
      ["fbc", "tsh"],
      ["fbc", "tsh"],
    ],
    TWO_PARTS,
  ],
])("tells of no other tests where the referral has %s", async (_, tests, items) => {
  const one = await startGiving(tests, items);
  await one.become(0);
  expect(await one.reason()).toBeNull();
});

test.each(["PARTIAL_RESULTS", "COMPLETE", "FAILED_TEST", "TRANSFERRED"])(
  "tells of no other tests that are first read at %s",
  async (status) => {
    const one = await startGiving([["fbc"]]);
    await one.become(0, { status, tests: ["tsh"] });
    expect(await one.reason()).not.toBe(CODE);
  },
);

test("ends when the service puts it right, and not by the other part", async () => {
  const one = await startGiving([["fbc"], ["tsh"]], BOTH_PARTS);
  expect(await one.reason()).toBe(CODE);
  await one.become(0);
  expect(await one.reason()).toBe(CODE);
  for (const tests of [[], null, { id: "fbc" }]) {
    await one.become(1, { tests });
    expect(await one.reason()).toBe(CODE);
  }
  await one.become(1, { tests: ["fbc"] });
  expect(await one.reason()).toBeNull();
  await one.become(1, { tests: ["tsh"] });
  expect(await one.reason()).toBe(CODE);
});

test("ends with a deletion at the service, which is told instead", async () => {
  const one = await startGiving([["tsh"]]);
  await one.become(0, { deletedAt: "2026-11-21T00:00:00.000Z" });
  expect(await one.reason()).toBe("deleted_at_service");
});

test("asks nobody again once a person has dealt with it", async () => {
  const one = await startGiving([["tsh"]]);
  const { shop, ports } = one;
  await markHandled(ports, { shop, orderId: ORDER, reason: CODE, actor: "staff:7" });
  expect(await one.reason()).toBeNull();
  await one.become(0);
  expect(await one.reason()).toBeNull();
  expect(await one.told()).toBe(1);
});

test("tells nothing of a patient whose data was erased", async () => {
  const one = await startGiving([["fbc"]]);
  await db.pool.query("UPDATE referral_requests SET redacted_at = now() WHERE id = $1", [
    one.requestId,
  ]);
  await one.become(0, { tests: ["tsh"] });
  expect(await one.reason()).toBeNull();
});
