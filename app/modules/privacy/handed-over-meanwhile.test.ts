import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { BUYER, startInvitation } from "../../../test/database/invitation.ts";
import { untilWaiting, whoHolds } from "../../../test/database/locks.ts";
import { storeOrder } from "../../../test/database/seed.ts";
import { eraseOwnData } from "./erase-own-data.ts";

const db = await openTestDatabase();

test("a buyer who handed the test over while their erasure waited for the order erases nothing", async () => {
  const { shop, ports, id, send, enter, give } = await startInvitation(db);
  const order = await whoHolds(
    db,
    "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
    `${shop} ${storeOrder().id}`,
  );
  const erasing = eraseOwnData(ports, { shop, viewer: BUYER, requestId: id });
  await untilWaiting(db, 1, erasing);
  expect(await send()).toMatchObject({ kind: "handed_over" });
  const patient = await enter();
  expect(await give(patient)).toMatchObject({ kind: "saved" });
  await order.end();
  expect(await erasing).toEqual({ kind: "not_found" });
  const { rows } = await db.pool.query(
    `SELECT patient_sealed IS NOT NULL AS "hasPatient", redacted_at, cancellation_status FROM referral_requests WHERE id = $1`,
    [id],
  );
  expect(rows).toEqual([{ hasPatient: true, redacted_at: null, cancellation_status: null }]);
  const looks = await db.pool.query("SELECT what FROM access_log WHERE request_id = $1", [id]);
  expect(looks.rows.map(({ what }) => what)).not.toContain("data_erased");
});
