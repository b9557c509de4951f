import { expect, test } from "vitest";
import { DAY, sampleReferral, sampleRequest } from "../../../test/samples/facts.ts";
import { sampleLedger } from "../../../test/samples/ledger.ts";
import { duplicateReferrals } from "../../platform/counters.ts";
import { apply } from "./apply.ts";
import type { LedgerEvent } from "./ledger/events.ts";
import type { ReferralRequest } from "./request.ts";

const BY = { actor: "staff:7", at: DAY } as const;
const request = sampleRequest({ state: "ready", stage: "in_progress", reviewReason: null });
const about = { orderId: request.orderId, requestId: request.id };

/** Returns the rows that are written when the event happens to the request. */
async function happen(event: LedgerEvent, row: ReferralRequest | null = request) {
  const { tenant, seen } = sampleLedger({ request: row });
  const writes: unknown[] = [];
  const { write } = tenant.requests;
  tenant.requests.write = (...args) => {
    writes.push(args);
    return write(...args);
  };
  const applied = await apply(tenant, request.id, event, BY);
  return { applied, writes, ...seen };
}

test("writes state, line of the timeline and nothing more, when no work follows", async () => {
  const { applied, row, notes, jobs } = await happen({ kind: "held" });
  expect(row?.state).toBe("held");
  expect(applied?.request).toEqual(row);
  expect(notes).toEqual([{ kind: "request_held", actor: "staff:7", at: DAY, ...about }]);
  expect(jobs).toEqual([]);
});

test("queues the work that follows", async () => {
  const { notes, jobs } = await happen({ kind: "released" }, { ...request, state: "held" });
  expect(notes).toHaveLength(1);
  const job = { name: "create-referral", shop: "one.myshopify.com", requestId: request.id };
  expect(jobs).toEqual([{ job }]);
});

test("tells the detail of what happened", async () => {
  const { notes } = await happen({ kind: "part_missing", part: "medicare", now: DAY });
  expect(notes).toEqual([
    { kind: "half_missing", actor: "staff:7", at: DAY, ...about, detail: { half: "medicare" } },
  ]);
});

test("is silent about a step that no line tells of", async () => {
  const { notes, jobs, applied } = await happen({ kind: "found" });
  expect(applied?.step.to).toBe("created");
  expect([notes, jobs]).toEqual([[], []]);
});

test("changes nothing when the event does not apply, or the request is gone", async () => {
  const held = sampleRequest({ state: "held" });
  const asked = [await happen({ kind: "held" }, held), await happen({ kind: "held" }, null)];
  for (const { applied, writes, notes } of asked) {
    expect(applied).toBeNull();
    expect([writes, notes]).toEqual([[], []]);
  }
});

test("writes no row that stays as it is, and still says what it means", async () => {
  const cancelled = sampleRequest({ state: "cancelled" });
  const { applied, writes } = await happen(
    {
      kind: "cancellation_requested",
      by: "staff",
      ...{ hasResults: false, refundPolicy: "ask", mayBeElsewhere: false },
    },
    cancelled,
  );
  expect(writes).toEqual([]);
  expect(applied).toMatchObject({ request: cancelled, step: { outcome: "nothing" } });
});

test("writes the state, what changes with it, and where the request stands then", async () => {
  const { writes } = await happen({ kind: "held" });
  const standing = {
    stage: "attention",
    reason: { code: "held", detail: null },
    handledReason: null,
  };
  const reasons = { resultReason: null, reviewReason: null };
  expect(writes).toEqual([[request.id, { state: "held", ...reasons, ...standing }]]);
});

test("writes where a request stands also when the event changes nothing of its own", async () => {
  const created = { ...request, state: "created", stage: "in_progress" } as const;
  const { tenant, seen } = sampleLedger({
    request: created,
    referrals: [sampleReferral({ requestId: request.id, status: "COMPLETE" })],
  });
  expect(await apply(tenant, request.id, { kind: "held" }, BY)).toBeNull();
  expect(seen.row).toMatchObject({ state: "created", stage: "results_ready" });
});

test.each([
  [{ tagOrders: true }, ["publish-order-status"]],
  [{ markFulfilled: true }, ["publish-order-status"]],
  [{ startFlows: true }, ["publish-order-status"]],
  [{}, []],
  [{ tagOrders: true, installed: false }, []],
] as const)("a shop with %o is told that a person is needed: %o", async (options, queued) => {
  const settings = { installed: true, tagOrders: false, markFulfilled: false, startFlows: false };
  const { tenant, seen } = sampleLedger({ request, shop: { ...settings, ...options } });
  await apply(tenant, request.id, { kind: "held" }, BY);
  expect(seen.jobs.map(({ job }) => job.name)).toEqual(queued);
});

test("counts each request of which the service holds more than one referral, and nothing else", async () => {
  const counted = () => duplicateReferrals.values().reduce((sum, { value }) => sum + value, 0);
  const before = counted();
  await happen({ kind: "found" });
  expect(counted()).toBe(before);
  const referrals = ["a", "b"].map((uuid) => sampleReferral({ uuid, requestId: request.id }));
  await apply(sampleLedger({ request, referrals }).tenant, request.id, { kind: "found" }, BY);
  expect(counted()).toBe(before + 1);
});
