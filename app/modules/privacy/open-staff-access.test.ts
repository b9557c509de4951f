import { expect, test } from "vitest";
import { enterShop } from "../../../test/database/act-as-shop.ts";
import { movableClock, START } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { IN_DATABASE } from "../../../test/database/in-database.ts";
import { putRequest } from "../../../test/database/put-request.ts";
import { installedShop, RELEASE, readyRequest } from "../../../test/database/seed.ts";
import { referralSnapshot, resultSnapshot } from "../../../test/database/snapshots.ts";
import { gid } from "../kernel/ids.ts";
import { releaseResults } from "../referrals/release-result.ts";
import { startExport } from "../reports/export-orders.ts";
import { setStaffRole } from "../shops/set-staff-role.ts";
import { eraseForPatient } from "./erase-own-data.ts";
import { exportForPatient } from "./export-for-patient.ts";
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
    await client.query(...(await enterShop(db, shop)));
    await expect(client.query("UPDATE staff_access SET staff = 'staff:9'")).rejects.toThrow(
      /permission denied/,
    );
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
});

test("keeps results, releases and downloads from staff whose role does not include them, and says so in the log", async () => {
  const { shop, requestId, clock, open, read } = await start();
  const SAM = "staff:60" as const;
  const ports = { tenancy: db.tenancy, clock, documentBodies: IN_DATABASE };
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.staff.identify({ staff: SAM, name: "Sam Support", isAccountOwner: false }, START),
  );
  const refused = (right: string) => ({ kind: "not_allowed", right });
  const release = () =>
    releaseResults(ports, { shop, requestId, actor: SAM, record: { ...RELEASE, contacted: true } });
  const take = () =>
    exportForPatient(ports, { shop, orderId, requestId, actor: SAM, caseNumber: null });
  const erase = () => eraseForPatient(ports, { shop, orderId, requestId, actor: SAM });
  expect(await open({ actor: SAM })).toEqual(refused("see_results"));
  expect(await read({ actor: SAM })).toEqual(refused("see_results"));
  expect(await release()).toEqual(refused("release_results"));
  expect(await take()).toEqual(refused("export_data"));
  expect(await erase()).toEqual(refused("erase_data"));
  expect(await startExport(ports, { shop, actor: SAM })).toEqual(refused("export_data"));

  await setStaffRole(ports, { shop, actor: ANNA, staff: SAM, role: "reviewer" });
  expect(await open({ actor: SAM })).toEqual({ kind: "opened" });
  expect(await read({ actor: SAM })).toMatchObject({ kind: "shown" });
  expect(await take()).toEqual(refused("export_data"));
  expect(await release()).toEqual({ kind: "released", results: 1 });

  const { rows } = await db.pool.query(
    `SELECT what, detail->>'right' AS right FROM access_log
     WHERE shop = $1 AND actor = $2 AND actor_name = 'Sam Support' ORDER BY id`,
    [shop, SAM],
  );
  const said = (right: string) => ({ what: "staff_refused", right });
  const did = (what: string) => ({ what, right: null });
  expect(rows).toEqual([
    ...["see_results", "see_results", "release_results"].map(said),
    ...["export_data", "erase_data", "export_data"].map(said),
    ...[
      did("results_unlocked"),
      did("result_viewed"),
      said("export_data"),
      did("results_released"),
    ],
  ]);
});
