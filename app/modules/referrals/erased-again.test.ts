import { expect, test } from "vitest";
import { startCreated } from "../../../test/database/created.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { gid } from "../kernel/ids.ts";
import { redact } from "../privacy/privacy/redact.ts";
import { askForBulkReorder } from "./reorder-billing-failed.ts";
import { reorderableParts } from "./reorderable-parts.ts";
import { gatherFacts } from "./request-facts.ts";

const db = await openTestDatabase();
const ORDER = gid("Order", 1001);

/** A test with this status, whose buyer's data was destroyed since. */
async function startErased(status: string) {
  const created = await startCreated(db, {});
  const { shop, clock, requestId } = created;
  await created.become({ status });
  await db.tenancy.inShop(shop, (tenant) =>
    redact(tenant, { requestIds: [requestId], orderIds: [ORDER] }, clock.now()),
  );
  await created.takeJobs();
  return created;
}

test("orders nothing again for a buyer whose data was destroyed: nobody could give the details", async () => {
  const { reorder, shop } = await startErased("FAILED_TEST");
  expect(await reorder()).toEqual({ kind: "not_reorderable" });
  const requests = await db.tenancy.inShop(shop, (tenant) => tenant.requests.forOrder(ORDER));
  expect(requests).toHaveLength(1);
  const [facts] = await db.tenancy.inShop(shop, (tenant) => gatherFacts(tenant, requests));
  expect(facts && reorderableParts(facts)).toEqual([]);
});

test("counts no test as unpaid whose buyer's data was destroyed", async () => {
  const { ports, shop } = await startErased("BILLING_FAILED");
  const failed = await db.tenancy.inShop(shop, (tenant) => tenant.referrals.countBillingFailed());
  expect(failed).toBe(0);
  const asked = await askForBulkReorder(ports, { shop, actor: "staff:7" });
  expect(asked).toEqual({ kind: "nothing_failed" });
});
