import { expect, test } from "vitest";
import { sampleReferral, sampleRequest } from "../../../test/samples/facts.ts";
import { describeFailure } from "../../clients/referral-service/failures/describe-failure.ts";
import type { ReferralRequest } from "../referrals/request.ts";
import { describeForBlock } from "./order-block.ts";

const shown = (change: Partial<ReferralRequest>, status = "ISSUED") =>
  describeForBlock(
    [
      {
        request: sampleRequest({ state: "created", ...change }),
        referrals: [sampleReferral({ status })],
        ...{ results: [], documents: [] },
      },
    ],
    describeFailure,
  )[0];

test.each<[string, Partial<ReferralRequest>, boolean]>([
  ["COMPLETE", {}, false],
  ["COMPLETE", { resultReason: "urgent_result_shown" }, true],
  ["FAILED_TEST", { reviewReason: { code: "referral", detail: "FAILED_TEST" } }, true],
  ["ISSUED", { state: "held" }, true],
  // Pathway looks through the service's list by itself.
  ["ISSUED", { state: "ambiguous" }, false],
])("says of a test that is %s (%j) whether staff have something to do", (status, change, needs) => {
  expect(shown(change, status)).toMatchObject({ needsStaff: needs });
});

test("names each test by its number, and nobody", () => {
  expect(shown({})).toEqual({
    id: "request",
    title: "Full blood count, test 1",
    state: "created",
    stateText: "Form ready",
    nextStep: expect.stringContaining("until the laboratory reports"),
    needsStaff: false,
  });
});
