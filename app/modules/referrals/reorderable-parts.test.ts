import { describe, expect, test } from "vitest";
import { DAY, sampleReferral, sampleRequest } from "../../../test/samples/facts.ts";
import type { StoredReferral } from "./referral-repository.ts";
import { reorderableParts } from "./reorderable-parts.ts";
import type { ReferralRequest } from "./request.ts";
import { REQUEST_STATES } from "./request.ts";
import { plainReason } from "./review-reason.ts";

const BOTH = { bundleId: null, tests: ["fbc"], medicareTests: ["m"], practitioner: null };
const failed = sampleReferral({ status: "FAILED_TEST" });
const medicare = sampleReferral({ uuid: "medicare", medicare: true });
const failedMedicare = { ...medicare, status: "BILLING_FAILED" };
const byStaff = { requestedBy: "staff", status: "done" } as const;
const byStore = { requestedBy: "store", status: "done" } as const;

const parts = (
  request: Partial<ReferralRequest>,
  referrals: StoredReferral[] = [],
  orderedAgain?: ("commercial" | "medicare")[],
) =>
  reorderableParts({
    request: sampleRequest({ state: "created", ...request }),
    referrals,
    ...(orderedAgain ? { orderedAgain } : {}),
  });

test("nothing is ordered again whose patient's data was destroyed", () => {
  expect(parts({ redactedAt: DAY }, [failed])).toEqual([]);
  expect(parts({ redactedAt: DAY, state: "rejected" })).toEqual([]);
});

describe("may be ordered again", () => {
  test("what failed, or was deleted at the service", () => {
    expect(parts({}, [failed])).toEqual(["commercial"]);
    expect(parts({}, [sampleReferral({ deletedAt: DAY })])).toEqual(["commercial"]);
  });

  test("of two parts the one that was lost", () => {
    expect(parts({ items: BOTH }, [failed, medicare])).toEqual(["commercial"]);
    expect(parts({ items: BOTH }, [sampleReferral(), failedMedicare])).toEqual(["medicare"]);
    expect(parts({ items: BOTH }, [failed, failedMedicare])).toEqual(["commercial", "medicare"]);
  });

  test("what was refused whole, or staff cancelled, until it was", () => {
    for (const state of ["rejected", "cancelled"] as const) {
      const cancellation = state === "cancelled" ? byStaff : null;
      expect(parts({ state, cancellation, items: BOTH })).toEqual(["commercial", "medicare"]);
      expect(parts({ state, cancellation, replacedBy: "next" })).toEqual([]);
    }
  });

  test("a part that staff cancelled after the other one was ordered again", () => {
    const lost = { ...medicare, status: "FAILED_TEST", replacedBy: "next" };
    const deleted = sampleReferral({ deletedAt: DAY });
    const request = {
      ...({ state: "cancelled", cancellation: byStaff, items: BOTH, replacedBy: "next" } as const),
    };
    expect(parts(request, [deleted, lost], ["medicare"])).toEqual(["commercial"]);
  });
});

describe("is never ordered twice", () => {
  test.each(REQUEST_STATES.filter((state) => !["created", "rejected"].includes(state)))(
    "what is %s, or ended without staff, though a referral of it failed",
    (state) => {
      expect(parts({ state }, [failed])).toEqual([]);
      expect(parts({ state, cancellation: byStore }, [failed])).toEqual([]);
    },
  );

  test("what somebody is giving up", () => {
    for (const requestedBy of ["staff", "store"] as const)
      for (const status of ["requested", "confirmed"] as const)
        expect(parts({ cancellation: { requestedBy, status } }, [failed])).toEqual([]);
  });

  test("what is well, or of which another referral is", () => {
    expect(parts({}, [sampleReferral()])).toEqual([]);
    expect(parts({}, [failed, sampleReferral({ uuid: "second" })])).toEqual([]);
    expect(parts({}, [])).toEqual([]);
  });

  test("what the service put something else in the place of", () => {
    expect(parts({}, [{ ...failed, replacedBy: "second" }])).toEqual([]);
    const second = sampleReferral({ uuid: "second" });
    expect(parts({}, [{ ...failed, replacedBy: "second" }, second])).toEqual([]);
    const lost = { ...second, status: "FAILED_TEST" };
    expect(parts({}, [{ ...failed, replacedBy: "second" }, lost])).toEqual(["commercial"]);
  });

  test("what was deleted with results: they are somebody's", () => {
    const deleted = { ...failed, deletedAt: DAY };
    expect(parts({}, [{ ...deleted, resultUuid: "result" }])).toEqual([]);
    expect(parts({}, [{ ...deleted, status: "COMPLETE" }])).toEqual([]);
    expect(parts({}, [failed, { ...deleted, uuid: "b", resultUuid: "result" }])).toEqual([]);
    expect(parts({}, [{ ...failed, resultUuid: "result" }])).toEqual(["commercial"]);
  });

  test("a part that a later generation has, nor any while it is not known which they have", () => {
    const request = { items: BOTH, replacedBy: "next" };
    expect(parts(request, [failed, failedMedicare], ["commercial"])).toEqual(["medicare"]);
    expect(parts(request, [failed, failedMedicare], ["commercial", "medicare"])).toEqual([]);
    expect(parts(request, [failed, failedMedicare])).toEqual([]);
  });

  test("what was deleted because its patient wants nothing ordered", () => {
    const reviewReason = plainReason("consent_withdrawn");
    expect(parts({ reviewReason }, [failed])).toEqual([]);
    expect(parts({ state: "cancelled", cancellation: byStaff, reviewReason })).toEqual([]);
  });
});
