import { expect, test } from "vitest";
import { BOTH_PARTS, startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { CREATE_TIMEOUT_MS, QUARANTINE_MS } from "../../../../test/database/ledger.ts";
import { gid } from "../../kernel/ids.ts";

const db = await openTestDatabase();

/** Both parts of a test were lost and ordered again one by one, and a restored database has forgotten both orders. */
async function forgotten() {
  const created = await startCreated(db, { items: BOTH_PARTS });
  const { shop, service, requestId } = created;
  const generations = () =>
    db.tenancy.inShop(shop, (tenant) => tenant.requests.forOrder(gid("Order", 1001)));
  const lose = async (medicare: boolean) => {
    const one = service.referrals.findLast((each) => each.medicare === medicare);
    service.set(String(one?.uuid), { status: "FAILED_TEST" });
    await created.refetch();
    await created.reorder();
    for (const { id } of await generations()) await created.create(id);
  };
  await lose(true);
  await lose(false);
  const known = service.referrals.filter(({ status }) => status !== "FAILED_TEST");
  const held = known.map(({ uuid, referenceNumber }) => ({
    uuid: String(uuid),
    referenceNumber: String(referenceNumber),
  }));
  await db.pool.query("DELETE FROM referrals WHERE shop = $1 AND request_id <> $2", [
    shop,
    requestId,
  ]);
  await db.pool.query("DELETE FROM referral_requests WHERE shop = $1 AND generation > 1", [shop]);
  await db.pool.query("UPDATE referral_requests SET replaced_by = NULL WHERE shop = $1", [shop]);
  await db.pool.query("UPDATE referrals SET replaced_by = NULL WHERE shop = $1", [shop]);
  await db.tenancy.inShop(shop, (tenant) => tenant.restores.recordUnclaimed("staging", held));
  return { ...created, generations };
}

test.each([
  ["together", "FAILED_TEST"],
  ["in another sequence", "ISSUED"],
])("parts that were ordered again one by one, and now %s, are taken up", async (_, status) => {
  const { service, shop, clock, generations, ...created } = await forgotten();
  const first = service.referrals.findLast(({ medicare }) => medicare === true);
  service.set(String(first?.uuid), { status });
  await created.refetch();
  const made = service.calls.length;
  expect(made).toBe(3);
  expect(await generations()).toHaveLength(1);
  expect(await created.reorder()).toMatchObject({ kind: "reordered" });
  for (let round = 0; round < 4; round++) {
    for (const { id } of await generations()) await created.create(id);
    await created.refetch();
    for (const { id } of await generations()) await created.resolve(id);
    clock.advance(CREATE_TIMEOUT_MS + QUARANTINE_MS);
  }
  expect(service.calls).toHaveLength(made);
  const all = await generations();
  expect(all.map(({ state }) => state)).toEqual(["created", "created", "created"]);
  const parts = await db.tenancy.inShop(shop, (tenant) =>
    Promise.all(all.map(({ id }) => tenant.referrals.forRequests([id]))),
  );
  expect(parts.map((own) => own.map(({ medicare }) => medicare).toSorted())).toEqual([
    [false, true],
    [true],
    [false],
  ]);
});
