import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { OWNER, startIssued } from "../../../test/database/issued.ts";
import { customerWords } from "../../modules/access/customer-words.ts";
import { findCustomerRequest } from "../../modules/access/list-requests.ts";
import { NEXT_STEPS } from "../../modules/referrals/customer-view.ts";
import { presentCustomerRequest } from "./present-request.ts";

const db = await openTestDatabase();

/** A test with a form, whose referral then has this status. */
async function seenAt(status: string) {
  const { shop, ports, requestId, uuids, service, refetch } = await startIssued(db);
  service.set(uuids()[0] ?? "", { status });
  await refetch();
  const found = await findCustomerRequest(ports, { shop, viewer: OWNER, requestId });
  return found && presentCustomerRequest(found);
}

test.each(["FAILED_TEST", "INSUFFICIENT_DATA", "TRANSFERRED", "REFUNDED", "BILLING_FAILED"])(
  "says what to do with a form that was printed before its referral came to %s",
  async (status) => {
    const seen = await seenAt(status);
    expect(seen).toMatchObject({ state: "needs_support", documents: [] });
    expect(seen?.nextStep).toMatch(/don’t use (the|your) form|form, please throw it away/);
  },
);

test("sends nobody to a collection centre with a form whose referral has a status that nobody knows", async () => {
  const seen = await seenAt("EXPIRED");
  expect(seen).toMatchObject({ state: "form_ready" });
  expect(seen?.nextStep).toMatch(/looking into .* contact the shop before you use its form/);
});

test("keeps a telephone number in a next step on one line", async () => {
  const { shop, ports, requestId } = await startIssued(db);
  const found = await findCustomerRequest(ports, { shop, viewer: OWNER, requestId });
  if (!found) throw new Error("not shown");
  const nextStep = "Please ring Nurse Kim today: 02 5550 9999.";
  const part = {
    part: "medicare",
    state: "in_review",
    nextStep,
    statuses: [] as string[],
    isForToday: true,
  } as const;
  const seen = presentCustomerRequest({ ...found, nextStep, parts: [part] });
  const whole = "Please ring Nurse Kim today: 02\u00a05550\u00a09999.";
  expect([seen.nextStep, seen.parts[0]?.nextStep]).toEqual([whole, whole]);
});

test("asks to ring today before it says that another referral of the test has stopped", async () => {
  const { shop, ports, requestId } = await startIssued(db);
  const found = await findCustomerRequest(ports, { shop, viewer: OWNER, requestId });
  if (!found) throw new Error("not shown");
  const stopped = {
    state: "needs_support" as const,
    nextStep: "Please ring us today. Something needs our attention.",
    statuses: ["FAILED_TEST"],
    isForToday: true,
    today: "Please ring us today.",
  };
  const part = { part: "medicare" as const, ...stopped };
  const other = {
    ...part,
    part: "commercial" as const,
    nextStep: "Something needs our attention.",
    isForToday: false,
    today: undefined,
  };
  const seen = presentCustomerRequest({ ...found, ...stopped, parts: [part, other] });
  const both = /^Please ring us today\. The laboratory.*don’t use the form/;
  expect(seen.nextStep).toMatch(both);
  expect(seen.parts.map(({ nextStep }) => both.test(nextStep))).toEqual([true, false]);
});

test("asks to open a result today before it says that a new form is in doubt, or is made", async () => {
  const { shop, ports, requestId } = await startIssued(db);
  const found = await findCustomerRequest(ports, { shop, viewer: OWNER, requestId });
  if (!found) throw new Error("not shown");
  const today = "Please open your results today.";
  const seen = (state: "form_ready" | "being_prepared", status: string) => {
    const nextStep = `${today} Take the form to a collection centre.`;
    const unit = { ...found, state, nextStep, statuses: [status], isForToday: true, today };
    return presentCustomerRequest(unit).nextStep;
  };
  expect(seen("form_ready", "EXPIRED")).toMatch(
    /^Please open your results today\. The shop is look/,
  );
  expect(seen("form_ready", "EXPIRED")).not.toContain("collection centre");
  expect(seen("being_prepared", "SCHEDULED_REISSUE")).toMatch(/today\. We are making a new form/);
  expect(seen("form_ready", "ISSUED")).toMatch(/^Please open your results today\. Take the form/);
});

test("promises no time and no call to whoever has a test that waits for the shop", () => {
  for (const text of [NEXT_STEPS.needs_support, customerWords("state.needs_support.next")]) {
    expect(text).toMatch(/Something needs our attention.*contact the shop/);
    expect(text).not.toMatch(/day|hour|in touch/);
  }
});
