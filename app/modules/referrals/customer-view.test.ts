import { expect, test } from "vitest";
import { startCreated } from "../../../test/database/created.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { sampleReferral, sampleRequest, sampleResult } from "../../../test/samples/facts.ts";
import { presentCustomerRequest } from "../../web/customer-interface/present-request.ts";
import { listCustomerRequests } from "../access/list-requests.ts";
import { gid } from "../kernel/ids.ts";
import { type CustomerState, NEXT_STEPS, nextStepOf } from "./customer-view.ts";
import { REFERRAL_STATUSES } from "./snapshots.ts";

const db = await openTestDatabase();

/** The customer's state of a referral without a stored form, for every status of interface §3. */
const SEEN: Record<(typeof REFERRAL_STATUSES)[number], CustomerState> = {
  PENDING_VERIFICATION: "being_prepared",
  CREATED: "being_prepared",
  ISSUED: "being_prepared",
  SCHEDULED_REISSUE: "being_prepared",
  PARTIAL_RESULTS: "in_review",
  COMPLETE: "in_review",
  INSUFFICIENT_DATA: "needs_support",
  REFUNDED: "needs_support",
  FAILED_TEST: "needs_support",
  BILLING_FAILED: "needs_support",
  TRANSFERRED: "needs_support",
};

test.each([...REFERRAL_STATUSES, "SOMETHING_NEW"] as const)(
  "the shopper of a referral that is %s is told where it stands",
  async (status) => {
    const { shop, become } = await startCreated(db);
    await become({ status });
    const [request] = await listCustomerRequests(
      { tenancy: db.tenancy },
      { shop, viewer: { kind: "customer", customerId: gid("Customer", 7) } },
    );
    if (!request) throw new Error("the shopper sees nothing");
    expect(request.state).toBe(status === "SOMETHING_NEW" ? "being_prepared" : SEEN[status]);
    const { nextStep } = presentCustomerRequest(request);
    expect(nextStep).toMatch(/^[A-Z].*\.$/);
    // The status itself is for staff.
    expect(nextStep).not.toMatch(/[A-Z]{3,}|_/);
    // There is no form to open yet.
    expect(nextStep).not.toMatch(/^Open/);
    if (request.state === "needs_support") expect(nextStep).not.toBe(NEXT_STEPS.needs_support);
  },
);

test("advice about the routing of Medicare results is told once and kept", async () => {
  const { shop, requestId, uuids, referrals, refetch } = await startCreated(db);
  const [uuid = ""] = uuids();
  await db.pool.query("UPDATE referrals SET routing_message = $1 WHERE shop = $2 AND uuid = $3", [
    "Set up routing first.",
    shop,
    uuid,
  ]);
  await refetch();
  expect((await referrals(requestId))[0]?.routingMessage).toBe("Set up routing first.");
});

test.each([
  ["FAILED_TEST", "laboratory couldn’t complete"],
  ["REFUNDED", "can’t go on"],
  ["TRANSFERRED", "Another lab"],
  ["INSUFFICIENT_DATA", "missing"],
  ["BILLING_FAILED", "fixing a problem"],
] as const)("promises no further results of a referral that has some and is %s", (status, said) => {
  const nextStep = nextStepOf(partial([status]), "partial_results");
  expect(nextStep).toContain(said);
  expect(nextStep).toContain("Some results are ready.");
  expect(nextStep).not.toContain("the rest");
});

test("promises the rest of partial results while it is to come", () => {
  for (const statuses of [["PARTIAL_RESULTS"], ["COMPLETE", "ISSUED"], ["COMPLETE", "CREATED"]])
    expect(nextStepOf(partial(statuses), "partial_results")).toBe(NEXT_STEPS.partial_results);
});

/** A test with partial results, whose referrals have these statuses. */
const partial = (statuses: readonly string[]) => ({
  request: sampleRequest({ state: "created" }),
  referrals: statuses.map((status, index) => sampleReferral({ uuid: `r${index}`, status })),
  results: [sampleResult({ releasedAt: new Date(0), partial: true })],
});

test("tells what becomes of the form and of the money of a cancelled test", () => {
  expect(NEXT_STEPS.cancelled).toMatch(/throw it away/);
  expect(NEXT_STEPS.cancelled).toMatch(/refund/);
});
