/** A database that was restored is served before its erasures are done again: a test's row is there, and its key is not. */
import { createHash, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { movableClock, START } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { IN_DATABASE } from "../../../test/database/in-database.ts";
import { putRequest } from "../../../test/database/put-request.ts";
import { installedShop, readyRequest } from "../../../test/database/seed.ts";
import { referralSnapshot, resultSnapshot } from "../../../test/database/snapshots.ts";
import { gid } from "../kernel/ids.ts";
import { listCustomerRequests } from "./list-requests.ts";
import { openDocument } from "./open-document.ts";
import { openResult } from "./open-result.ts";

const db = await openTestDatabase();
const VIEWER = { kind: "customer", customerId: gid("Customer", 7) } as const;

test("an erased test keeps its customer from none of the others", async () => {
  const shop = await installedShop(db);
  const ports = { tenancy: db.tenancy, clock: movableClock(), documentBodies: IN_DATABASE };
  const released = async (orderNumber: number, resultDate: string) => {
    const id = await readyRequest(db, shop, { orderNumber });
    const referral = referralSnapshot();
    const snapshot = resultSnapshot({ referralUuid: referral.uuid, resultDate });
    const pdf = Buffer.from("%PDF-1.7 form");
    const documentId = randomUUID();
    await db.tenancy.inShop(shop, async (tenant) => {
      await putRequest(tenant, id, { state: "created" });
      await tenant.referrals.save("staging", id, referral, START);
      const state = { partial: false, inReview: false, otherPerson: false, releasedAt: START };
      await tenant.results.save({
        ...{ environment: "staging", requestId: id, snapshot, ...state, at: START },
      });
      const document = { id: documentId, requestId: id, customerId: VIEWER.customerId };
      const about = { kind: "referral", sourceUuid: referral.uuid, partial: false } as const;
      const sha256 = createHash("sha256").update(pdf).digest("hex");
      const bytes = pdf.length;
      await tenant.documents.store({ ...document, ...about, sha256, bytes }, pdf, START);
    });
    return { id, resultId: snapshot.uuid, documentId };
  };
  const gone = await released(1, "2026-01-01T00:00:00.000Z");
  const kept = await released(2, "2026-02-01T00:00:00.000Z");
  await db.pool.query("DELETE FROM data_keys WHERE shop = $1 AND subject = $2", [
    ...[shop, `request ${gone.id}`],
  ]);
  db.sealers.forget(shop);

  const scope = { shop, viewer: VIEWER };
  const requests = await listCustomerRequests(ports, scope);
  expect(requests.map(({ id, patientName }) => [id, patientName]).toSorted()).toEqual(
    [
      [gone.id, null],
      [kept.id, "Ada C."],
    ].toSorted(),
  );
  expect(await openDocument(ports, { ...scope, documentId: kept.documentId })).not.toBeNull();
  expect((await openResult(ports, { ...scope, resultId: kept.resultId }))?.patient).toMatchObject({
    name: "Ada Citizen",
  });
});
