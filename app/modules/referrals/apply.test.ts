import { expect, test } from "vitest";
import { DAY, sampleRequest } from "../../../test/samples/facts.ts";
import { sampleLedger } from "../../../test/samples/ledger.ts";
import { apply } from "./apply.ts";
import type { LedgerEvent } from "./ledger/transitions.ts";
import type { ReferralRequest } from "./request.ts";

const BY = { actor: "staff:7", at: DAY } as const;
const request = sampleRequest({ state: "ready", attention: null });
const about = { orderId: request.orderId, requestId: request.id };

/** What is written when this happens to the request. */
async function happen(event: LedgerEvent, row: ReferralRequest | null = request) {
  const { tenant, seen } = sampleLedger({ request: row });
  const writes: unknown[] = [];
  const { move } = tenant.requests;
  tenant.requests.move = (...args) => {
    writes.push(args);
    return move(...args);
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
  const { notes } = await happen({ kind: "half_missing", half: "medicare", now: DAY });
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
  const held = { ...request, state: "held" } as const;
  const asked = [await happen({ kind: "held" }, held), await happen({ kind: "held" }, null)];
  for (const { applied, writes, notes } of asked) {
    expect(applied).toBeNull();
    expect([writes, notes]).toEqual([[], []]);
  }
});

test("writes no row that stays as it is, and still says what it means", async () => {
  const cancelled = { ...request, state: "cancelled" } as const;
  const { applied, writes } = await happen(
    {
      kind: "given_up",
      by: "staff",
      ...{ hasResults: false, refundPolicy: "ask", mayBeElsewhere: false },
    },
    cancelled,
  );
  expect(writes).toEqual([]);
  expect(applied).toMatchObject({ request: cancelled, step: { outcome: "nothing" } });
});

test("writes only over the state that it has seen", async () => {
  const { writes } = await happen({ kind: "held" });
  expect(writes).toEqual([[request.id, ["ready"], "held", { attention: null }]]);
});

test("says that nothing happened when the row slipped away", async () => {
  const { tenant, seen } = sampleLedger({ request });
  tenant.requests.move = async () => null;
  expect(await apply(tenant, request.id, { kind: "held" }, BY)).toBeNull();
  expect(seen.notes).toEqual([]);
});
