import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { BUYER, startInvitation } from "../../../test/database/invitation.ts";
import { untilWaiting, whoHolds, whoHoldsRequest } from "../../../test/database/locks.ts";
import { storeOrder } from "../../../test/database/seed.ts";
import { createLogger } from "../../platform/logger.ts";
import { doPrivacyRequest } from "./do-privacy-request.ts";
import { eraseForPatient, eraseOwnData } from "./erase-own-data.ts";
import { exportForPatient } from "./export-for-patient.ts";
import { readPatientTests } from "./read-patient-tests.ts";

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

test("staff on an old page neither delete nor download the data of whom the test was given to since", async () => {
  const { shop, ports, id, give, send, enter } = await startInvitation(db);
  expect(await give(BUYER)).toMatchObject({ kind: "saved" });
  const place = { shop, orderId: storeOrder().id, requestId: id, actor: "staff:7" } as const;
  const found = await readPatientTests(ports, place);
  const seen = found?.tests.find((one) => one.id === id)?.version ?? expect.unreachable();
  expect(await send()).toMatchObject({ kind: "handed_over" });
  expect(await give(await enter())).toMatchObject({ kind: "saved" });
  const wish = { ...place, seen };
  expect(await eraseForPatient(ports, wish)).toEqual({ kind: "changed_meanwhile" });
  const file = { ...wish, caseNumber: null };
  expect(await exportForPatient(ports, file)).toEqual({ kind: "changed_meanwhile" });
  const { rows } = await db.pool.query(
    `SELECT patient_sealed IS NOT NULL AS "hasPatient", redacted_at,
            (SELECT count(*)::int FROM access_log l WHERE l.request_id = r.id AND what IN ('data_erased', 'data_export_opened')) AS looks
     FROM referral_requests r WHERE id = $1`,
    [id],
  );
  expect(rows).toEqual([{ hasPatient: true, redacted_at: null, looks: 0 }]);
});

test("what the store wants forgotten of a buyer is no test that is handed to its patient at that moment", async () => {
  const { shop, ports, id, other } = await startInvitation(db);
  const at = ports.clock.now();
  const about = { customerId: storeOrder().customerId, orderIds: [storeOrder().id] };
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.privacy.open({
      ...{ ...about, kind: "customer_redacted", inboxId: "1", askedAt: at, openedAt: at },
    }),
  );
  const invitation = await whoHoldsRequest(db, id);
  const unused = () => Promise.reject(new Error("not asked"));
  const erasing = doPrivacyRequest(
    {
      ...ports,
      logger: createLogger("silent"),
      shopEraser: { erase: unused },
      storeAccess: { check: unused, hasCustomer: unused },
    },
    { shop, inboxId: "1" },
  );
  await untilWaiting(db, 1, erasing);
  await invitation.change("UPDATE referral_requests SET owner = 'patient' WHERE id = $1", id);
  await invitation.end();
  expect(await erasing).toMatchObject({ kind: "done", receipt: { requests: 1 } });
  const { rows } = await db.pool.query(
    `SELECT id, redacted_at IS NOT NULL AS redacted FROM referral_requests WHERE id = ANY($1)`,
    [[id, other]],
  );
  expect(Object.fromEntries(rows.map((row) => [row.id, row.redacted]))).toEqual({
    ...{ [id]: false, [other]: true },
  });
});
