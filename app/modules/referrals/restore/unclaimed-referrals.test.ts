import { expect, test } from "vitest";
import { BOTH_PARTS, startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { CREATE_TIMEOUT_MS, QUARANTINE_MS } from "../../../../test/database/ledger.ts";
import { putRequest } from "../../../../test/database/put-request.ts";
import type { CreateBehaviour } from "../../../../test/database/small-service.ts";

const db = await openTestDatabase();

/** An order as a restored database has it: it was sent, its referrals were seen, and none of that is known. */
async function forgotten(behaviour: CreateBehaviour) {
  const created = await startCreated(db, { items: BOTH_PARTS, behaviour });
  const { shop, requestId, service } = created;
  const referenceNumber = String(service.calls[0]?.referenceNumber);
  await db.pool.query("DELETE FROM referrals WHERE request_id = $1", [requestId]);
  await db.pool.query(
    `UPDATE referral_requests SET state = 'ready', missing_part = NULL, attempt = 0,
       attempt_started_at = NULL, attempt_deadline_at = NULL, recovery_lower_bound = NULL WHERE id = $1`,
    [requestId],
  );
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.restores.recordUnclaimed(
      "staging",
      created.uuids().map((uuid) => ({ uuid, referenceNumber })),
    ),
  );
  const held = () =>
    db.tenancy.inShop(shop, async (tenant) => {
      const { uuids } = await tenant.restores.holds("staging", referenceNumber);
      return uuids;
    });
  return { ...created, held };
}

test("links one referral of two that was remembered, and sends the other by itself", async () => {
  const { create, refetch, resolve, find, held, clock, service } = await forgotten("create_half");
  expect(await create()).toEqual({ kind: "postponed", until: null });
  await refetch();
  expect(await find()).toMatchObject({ state: "ambiguous", missingPart: "medicare" });
  expect(await held()).toEqual([]);
  await resolve();
  clock.advance(CREATE_TIMEOUT_MS + QUARANTINE_MS);
  expect(await resolve()).toEqual({ kind: "resend" });
  expect(await create()).toMatchObject({ kind: "created" });
  expect(service.referrals.map(({ medicare }) => medicare).toSorted()).toEqual([false, true]);
});

test("a further referral of a request that has one is kept in mind no longer", async () => {
  const { refetch, find, held } = await forgotten("create");
  await refetch();
  expect(await find()).toMatchObject({ state: "created" });
  expect(await held()).toEqual([]);
});

test("sends a missing part though its other referral is remembered and was linked long ago", async () => {
  const { create, refetch, find, held, uuids, service, shop, requestId } =
    await forgotten("create_half");
  await refetch();
  const referenceNumber = String(service.calls[0]?.referenceNumber);
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.restores.recordUnclaimed("staging", [{ uuid: uuids()[0] ?? "", referenceNumber }]);
    await putRequest(tenant, requestId, { state: "ready" });
  });
  expect(await create()).toEqual({ kind: "postponed", until: null });
  await refetch();
  expect(await held()).toEqual([]);
  expect(await create()).toMatchObject({ kind: "created" });
  expect(await find()).toMatchObject({ state: "created", missingPart: null });
});
