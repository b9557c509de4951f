/** A service that takes back what it said: what its patient is told and shown never contradicts each other. */
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { START } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startOddService } from "../../../test/database/odd-service.ts";
import { answer } from "../../clients/referral-service/testing/start-server.ts";
import { wireReferral, wireResult } from "../../clients/referral-service/testing/wire-samples.ts";
import { isDue } from "../notifications/notifications/is-due.ts";
import { customerState } from "./customer-view.ts";
import { gatherFacts } from "./request-facts.ts";

const db = await openTestDatabase();

const MINUTE_MS = 60_000;
const minute = (n: number) => new Date(START.getTime() + n * MINUTE_MS);
const NORMAL = { normal: 1, abnormal: 0, critical: 0, total: 1 };

/** A test of which the service says what it is told to say, and the results that it says it has. */
async function start() {
  const said = new Map<string, Record<string, unknown>>();
  const odd = await startOddService(db, ({ method, target, body }, response) => {
    if (method === "POST") {
      const { referenceNumber, metadata } = JSON.parse(body);
      const made = wireReferral({ uuid: randomUUID(), referenceNumber, metadata });
      said.set(String(made.uuid), made);
      return answer(response, 200, made);
    }
    return answer(response, 200, said.get(target.split("/").at(-1) ?? ""));
  });
  const outcome = await odd.create();
  const [uuid = ""] = outcome.kind === "created" ? outcome.uuids : [];
  let minutes = 0;
  const say = (uuid: string, fields: Record<string, unknown>) => {
    minutes++;
    odd.clock.advance(MINUTE_MS);
    said.set(uuid, { ...said.get(uuid), ...fields });
  };
  const now = () => minute(minutes).toISOString();
  return {
    ...odd,
    async referral(fields: Record<string, unknown>) {
      say(uuid, { updatedAt: now(), ...fields });
      await odd.refetch(uuid);
    },
    async result(id: string, fields: Record<string, unknown>) {
      const { referenceNumber } = said.get(uuid) ?? {};
      const whole = wireResult({ uuid: id, referralUuid: uuid, biomarkerSummary: NORMAL });
      say(id, { ...whole, referenceNumber, updatedAt: minute(0).toISOString(), ...fields });
      await odd.refetchResult(id);
    },
    /** Sends what is due, and returns what the owner sees, and what they are told. */
    async look() {
      return db.tenancy.inShop(odd.shop, async (tenant) => {
        const request = await tenant.requests.find(odd.requestId);
        if (!request) throw new Error("no request");
        const told: string[] = [];
        for (const due of await tenant.notifications.unsent([odd.requestId])) {
          if (!(await isDue(tenant, request, due))) continue;
          told.push(due.kind === "state_changed" ? (due.occurrence ?? "") : due.kind);
          await tenant.notifications.markSent(due, odd.clock.now());
        }
        const [facts] = await gatherFacts(tenant, [request]);
        if (!facts) throw new Error("no facts");
        return { sees: customerState(facts), told: told.map((one) => one.split(" ")[0]) };
      });
    },
  };
}

test.each([
  ["CANCELLED", { status: "CANCELLED" }],
  ["REFUNDED", { status: "REFUNDED" }],
  ["FAILED_TEST", { status: "FAILED_TEST" }],
  ["TRANSFERRED", { status: "TRANSFERRED" }],
  ["PENDING_VERIFICATION", { status: "PENDING_VERIFICATION" }],
  ["deleted", { deletedAt: minute(9).toISOString() }],
])(
  "whoever sees all results is not told to throw away a form, once it is %s",
  async (_, turned) => {
    const { look, referral, result, find } = await start();
    const id = randomUUID();
    await referral({ status: "COMPLETE", resultsUuid: id });
    await result(id, {});
    expect(await look()).toEqual({ sees: "results_ready", told: ["results_available"] });
    for (const said of [turned, { status: "COMPLETE", deletedAt: null }, turned]) {
      await referral(said);
      expect(await look()).toEqual({ sees: "results_ready", told: [] });
    }
    expect(await find(), "the shop is told").toMatchObject({ stage: "attention" });
  },
);

test("whoever sees a part of the results is told that the rest does not come", async () => {
  const { look, referral, result } = await start();
  const id = randomUUID();
  await referral({ status: "PARTIAL_RESULTS", resultsUuid: id });
  await result(id, { status: "PARTIAL" });
  expect(await look()).toEqual({ sees: "partial_results", told: ["partial"] });
  await referral({ status: "FAILED_TEST" });
  expect(await look()).toEqual({ sees: "partial_results", told: ["failed"] });
});

test("a failure that was not told because of the results is told when they are taken back", async () => {
  const { look, referral, result } = await start();
  const id = randomUUID();
  await referral({ status: "COMPLETE", resultsUuid: id });
  await result(id, {});
  await referral({ status: "FAILED_TEST" });
  expect(await look()).toEqual({ sees: "results_ready", told: ["results_available"] });
  await result(id, { deletedAt: minute(9).toISOString() });
  expect((await look()).told.toSorted()).toEqual(["failed", "taken_back"]);
});

test("each time that a result is taken back is told, though only the time of that changes", async () => {
  const { look, referral, result } = await start();
  const id = randomUUID();
  await referral({ status: "COMPLETE", resultsUuid: id });
  await result(id, {});
  expect((await look()).told).toEqual(["results_available"]);
  for (const at of [10, 20]) {
    const deletedAt = minute(at).toISOString();
    await result(id, { deletedAt });
    expect(await look()).toEqual({ sees: "needs_support", told: ["taken_back"] });
    // Read once more, it is no news.
    await result(id, { deletedAt });
    expect((await look()).told).toEqual([]);
    await result(id, { deletedAt: null });
    expect(await look()).toEqual({ sees: "results_ready", told: ["results_available"] });
  }
});

test("no form or result is lost, and nothing is told, as a status goes backwards", async () => {
  const { look, referral, result, referrals } = await start();
  const id = randomUUID();
  await referral({ status: "ISSUED" });
  await referral({ status: "COMPLETE", resultsUuid: id });
  await result(id, {});
  await look();
  const complete = minute(1).toISOString();
  for (const [said, status] of [
    [{ status: "ISSUED", updatedAt: minute(0).toISOString() }, "COMPLETE"],
    [{ status: "ISSUED", updatedAt: complete }, "ISSUED"],
    [{ status: "CREATED", resultsUuid: null }, "CREATED"],
    [{ status: "COMPLETE", resultsUuid: id }, "COMPLETE"],
  ] as const) {
    await referral(said);
    expect(await referrals()).toMatchObject([{ status }]);
    expect(await look()).toEqual({ sees: "results_ready", told: [] });
  }
});
