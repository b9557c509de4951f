import { expect, test } from "vitest";
import { movableClock, START } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { putRequest } from "../../../test/database/put-request.ts";
import { installedShop, readyRequest } from "../../../test/database/seed.ts";
import { referralSnapshot, resultSnapshot } from "../../../test/database/snapshots.ts";
import { gid } from "../kernel/ids.ts";
import { openStaffAccess } from "./open-staff-access.ts";
import { readStaffView } from "./read-staff-view.ts";

const db = await openTestDatabase();
const orderId = gid("Order", 1001);
const ANNA = "staff:1" as const;
const BEN = "staff:2" as const;

async function start() {
  const shop = await installedShop(db);
  const requestId = await readyRequest(db, shop);
  const referral = referralSnapshot();
  const snapshot = resultSnapshot({ referralUuid: referral.uuid });
  const clock = movableClock();
  const ports = { tenancy: db.tenancy, clock };
  await db.tenancy.inShop(shop, async (tenant) => {
    await putRequest(tenant, requestId, { state: "created" });
    await tenant.referrals.save("staging", requestId, referral, START);
    await tenant.results.save({
      environment: "staging",
      requestId,
      snapshot,
      partial: false,
      inReview: false,
      otherPerson: false,
      releasedAt: null,
      at: START,
    });
  });
  const target = { shop, orderId, requestId };
  return {
    shop,
    clock,
    requestId,
    snapshot,
    open: (fields: Partial<Parameters<typeof openStaffAccess>[1]> = {}) =>
      openStaffAccess(ports, {
        ...target,
        actor: ANNA,
        reason: "patient_asked",
        caseNumber: "HD-12",
        ...fields,
      }),
    read: (fields: Partial<Parameters<typeof readStaffView>[1]> = {}) =>
      readStaffView(ports, { ...target, actor: ANNA, ...fields }),
  };
}

test("results are hidden until somebody says why, and then shown to that person for a quarter of an hour", async () => {
  const { shop, clock, requestId, snapshot, open, read } = await start();
  expect((await read()).kind).toBe("hidden");
  expect(await open()).toEqual({ kind: "opened" });
  const shown = await read();
  if (shown.kind !== "shown") throw new Error("not shown");
  expect(shown.results.map(({ isReleased, view }) => [isReleased, view.id])).toEqual([
    [false, snapshot.uuid],
  ]);
  expect((await read({ actor: BEN })).kind).toBe("hidden");
  clock.advance(15 * 60_000);
  expect((await read()).kind).toBe("hidden");

  const { rows } = await db.pool.query(
    "SELECT actor, kind, detail FROM timeline WHERE shop = $1 AND request_id = $2 AND kind = 'results_revealed'",
    [shop, requestId],
  );
  const detail = { why: "patient_asked", caseNumber: "HD-12" };
  expect(rows).toEqual([{ actor: ANNA, kind: "results_revealed", detail }]);
});

test("another shop's, another order's and missing results are not there", async () => {
  const { requestId, open, read } = await start();
  const other = await start();
  const nothing = { kind: "nothing_to_show" };
  expect(await open({ shop: other.shop })).toEqual(nothing);
  expect(await open({ orderId: gid("Order", 1) })).toEqual(nothing);
  await open();
  expect(await read({ shop: other.shop })).toEqual({ kind: "not_found" });
  expect(await read({ orderId: gid("Order", 1) })).toEqual({ kind: "not_found" });
  expect(await other.read({ requestId })).toEqual({ kind: "not_found" });
  const shop = await installedShop(db);
  const withoutResults = await readyRequest(db, shop);
  expect(await open({ shop, requestId: withoutResults })).toEqual(nothing);
});

test("keeps the record of who looked from being rewritten by what works for a shop", async () => {
  const { shop, open } = await start();
  await open();
  const client = await db.pool.connect();
  try {
    await client.query("BEGIN");
    await client.query("SET LOCAL ROLE pathway_tenant");
    await client.query("SELECT set_config('pathway.shop', $1, true)", [shop]);
    await expect(client.query("UPDATE staff_access SET staff = 'staff:9'")).rejects.toThrow(
      /permission denied/,
    );
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
});
