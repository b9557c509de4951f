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

test("promises no time and no call to whoever has a test that waits for the shop", () => {
  for (const text of [NEXT_STEPS.needs_support, customerWords("state.needs_support.next")]) {
    expect(text).toMatch(/Something needs our attention.*contact the shop/);
    expect(text).not.toMatch(/day|hour|in touch/);
  }
});
