import { expect, test } from "vitest";
import { BOTH_PARTS, startCreated } from "../../../test/database/created.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { gid } from "../kernel/ids.ts";
import { eraseOwnData } from "./erase-own-data.ts";

const db = await openTestDatabase();
const viewer = { kind: "customer", customerId: gid("Customer", 7) } as const;

/** Erases what is held of the replacement, and says of which generations of the unit details are left. */
async function eraseReplacement(created: Awaited<ReturnType<typeof startCreated>>) {
  const { shop, ports } = created;
  const outcome = await created.reorder();
  if (outcome.kind !== "reordered") throw new Error(outcome.kind);
  const { requestId } = outcome;
  expect(await eraseOwnData(ports, { shop, viewer, requestId })).toEqual({ kind: "erased" });
  return db.tenancy.inShop(shop, async (tenant) => {
    const all = await tenant.requests.forOrder(gid("Order", 1001));
    return all.filter(({ hasPatient }) => hasPatient).map(({ generation }) => generation);
  });
}

test("deleting the data of a test takes with it what it was ordered again for", async () => {
  const created = await startCreated(db);
  await created.become({ status: "FAILED_TEST" });
  expect(await eraseReplacement(created)).toEqual([]);
  await created.withdraw();
  expect(created.service.referrals.every(({ deletedAt }) => deletedAt)).toBe(true);
  expect(await created.find()).toMatchObject({ state: "cancelled", reason: null });
});

test("a part that still counts keeps its data: its own card offers to delete them", async () => {
  const created = await startCreated(db, { items: BOTH_PARTS });
  const medicare = created.service.referrals.find((one) => one.medicare === true);
  created.service.set(String(medicare?.uuid), { status: "FAILED_TEST" });
  await created.refetch();
  expect(await eraseReplacement(created)).toEqual([1]);
});
