import { expect, test } from "vitest";
import { START } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startLinked } from "../../../test/database/linked-results.ts";
import { putRequest } from "../../../test/database/put-request.ts";
import { PATIENT, RELEASE, REVIEWER } from "../../../test/database/seed.ts";
import { referralSnapshot, resultSnapshot } from "../../../test/database/snapshots.ts";
import { workBatch } from "../../modules/kernel/work-batch.ts";
import { readReviews } from "../../modules/privacy/read-reviews.ts";
import type { ContactReached } from "../../modules/referrals/contact.ts";
import { recordContact } from "../../modules/referrals/record-contact.ts";
import { releaseResults } from "../../modules/referrals/release-result.ts";
import { recordResult } from "../../modules/referrals/results/record-result.ts";
import type { ResultSnapshot } from "../../modules/referrals/snapshots.ts";
import { orderActions } from "../../modules/reports/order-actions.ts";
import { startBulkAction } from "../../modules/reports/start-bulk-action.ts";
import { applyAttention } from "../app.attention/apply-attention.ts";
import { attentionForm } from "../app.attention/attention-form.ts";

const db = await openTestDatabase();
const HOUR = 3_600_000;
const actor = "staff:7" as const;
const summary = (critical: number) => ({ normal: 9, abnormal: critical, critical, total: 9 });
const CRITICAL = { biomarkerSummary: summary(1) };
const NORMAL = { biomarkerSummary: summary(0) };
const SENSITIVE = { ...NORMAL, productName: "HIV antibodies" };

/** A shop that holds all results for its reviewer, and two tests of one order. */
async function start() {
  const world = await startLinked(db);
  const { shop, clock, ports, runJobs, id } = world;
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.shops.updateSettings({ releasePolicy: "hold_all", reviewer: REVIEWER }),
  );
  const reviews = async (by: "staff:7" | "staff:99" = actor) =>
    readReviews(ports, { shop, actor: by });
  return {
    ...world,
    reviews,
    async arrives(requestId: string, fields: Partial<ResultSnapshot>) {
      const referral = referralSnapshot();
      const snapshot = { ...resultSnapshot({ referralUuid: referral.uuid }), ...fields };
      await db.tenancy.inShop(shop, async (tenant) => {
        await tenant.requests.savePatient(requestId, { patient: PATIENT, medicare: null }, START);
        await putRequest(tenant, requestId, { state: "created" });
        await tenant.referrals.save("staging", requestId, referral, START);
        const request = await tenant.requests.findForUpdate(requestId);
        if (!request) throw new Error("It is gone");
        await recordResult(tenant, request, snapshot, { askedAt: clock.now(), now: clock.now() });
      });
      await runJobs();
      return snapshot.uuid;
    },
    async shown() {
      const found = await reviews();
      if (found.kind !== "shown") throw new Error("refused");
      return found.reviews;
    },
    contact: (reached: ContactReached, hoursAgo = 0) =>
      recordContact(ports, {
        ...{ shop, requestId: id, actor, reached },
        contactedAt: new Date(clock.now().getTime() - hoursAgo * HOUR),
      }),
    release: () => releaseResults(ports, { shop, requestId: id, actor, record: RELEASE }),
    others: () =>
      db.tenancy.inShop(shop, async (tenant) => {
        const request = await tenant.requests.find(id);
        if (!request) throw new Error("It is gone");
        const all = await tenant.requests.forOrder(request.orderId);
        return all.filter((one) => one.id !== id).map((one) => one.id);
      }),
    looks: async () => {
      const { rows } = await db.pool.query<{ id: string; actor: string }>(
        "SELECT request_id AS id, actor FROM access_log WHERE shop = $1 AND what = 'details_viewed' AND who = 'staff'",
        [shop],
      );
      return rows;
    },
  };
}

test("lists what cannot wait first, then what waits longest, with what was done and what comes", async () => {
  const { arrives, shown, clock, runJobs, id, others } = await start();
  const [other = ""] = await others();
  await arrives(other, NORMAL);
  clock.advance(HOUR);
  await arrives(id, CRITICAL);
  clock.advance(HOUR);
  await runJobs();
  expect(await shown()).toMatchObject([
    { requestId: id, isUrgent: true, held: 1, alerts: 2, next: { kind: "alert" } },
    { requestId: other, isUrgent: false, alerts: 1, next: null },
  ]);
  clock.advance(3 * HOUR);
  await runJobs();
  const [first] = await shown();
  const heldAt = first?.heldAt?.getTime() ?? 0;
  expect(first?.next).toEqual({ kind: "release", at: new Date(heldAt + 12 * HOUR) });
});

test("shows the patient's name and age to whoever may release, and logs each look", async () => {
  const { arrives, shown, reviews, looks, id, clock } = await start();
  await arrives(id, NORMAL);
  expect(await reviews("staff:99")).toEqual({ kind: "not_allowed", right: "release_results" });
  expect(await looks()).toEqual([]);
  const [review] = await shown();
  const years = clock.now().getUTCFullYear() - 1990;
  expect(review?.patient).toEqual({ name: "Ada Citizen", age: years });
  expect(await looks()).toEqual([{ id, actor }]);
});

test("is empty once the result is released", async () => {
  const { arrives, shown, release, id } = await start();
  await arrives(id, NORMAL);
  expect(await release()).toEqual({ kind: "released", results: 1 });
  expect(await shown()).toEqual([]);
});

test("a contact that is recorded twice by one press stands once; other figures are another contact", async () => {
  const { arrives, contact, shown, clock, id } = await start();
  await arrives(id, SENSITIVE);
  const reached = async () => (await shown())[0]?.contacts.map((one) => one.reached);
  clock.advance(2 * HOUR);
  expect(await contact("patient")).toEqual({ kind: "recorded" });
  // Pressed again, because the answer never came.
  clock.advance(50_000);
  expect(await contact("patient")).toEqual({ kind: "recorded" });
  expect(await reached()).toEqual(["patient"]);
  expect(await contact("nobody")).toEqual({ kind: "recorded" });
  expect(await contact("patient", 1)).toEqual({ kind: "recorded" });
  clock.advance(5 * 60_000);
  expect(await contact("patient")).toEqual({ kind: "recorded" });
  expect(await reached()).toHaveLength(4);
  clock.advance(10_000);
  await arrives(id, { ...SENSITIVE, ...CRITICAL });
  expect(await contact("patient")).toEqual({ kind: "recorded" });
  expect(await reached()).toHaveLength(5);
});

test("a sensitive result is released once the patient was told, and by no other contact", async () => {
  const { arrives, contact, release, shown, clock, id } = await start();
  expect(await contact("patient")).toEqual({ kind: "nothing_held" });
  await arrives(id, SENSITIVE);
  clock.advance(HOUR);
  expect(await contact("patient", 2)).toEqual({ kind: "wrong_time" });
  expect(await contact("nobody")).toEqual({ kind: "recorded" });
  expect(await release()).toEqual({ kind: "contact_needed" });
  expect(await contact("patient")).toEqual({ kind: "recorded" });
  expect((await shown())[0]?.contacts).toMatchObject([
    { reached: "nobody", by: actor },
    { reached: "patient", by: actor },
  ]);
  expect(await release()).toEqual({ kind: "released", results: 1 });
});

test("no form and no action on many ends the wait of a held result", async () => {
  const { arrives, shown, shop, ports, id } = await start();
  const uuid = await arrives(id, CRITICAL);
  const request = await db.tenancy.inShop(shop, (tenant) => tenant.requests.find(id));
  const orderId = request?.orderId;
  if (!orderId) throw new Error("It is gone");
  const order = orderId.split("/").at(-1);
  for (const intent of ["handled", "retry", "release"])
    for (const reason of ["urgent_result_held", "results_held"])
      await applyAttention(ports, { shop, actor }, attentionForm.parse({ intent, order, reason }));
  const targets = [
    { orderIds: [orderId] },
    { selection: "status=attention" },
    { items: [{ orderId, reason: "urgent_result_held" }] },
  ];
  for (const action of ["handled", "release", "retry"] as const)
    for (const target of targets) {
      const batchId = await startBulkAction(ports, { shop, actor, action, target });
      for (let step = 0; step < 5; step++)
        await workBatch(ports, { shop, batchId }, { order_action: orderActions });
    }
  const after = await db.tenancy.inShop(shop, async (tenant) => ({
    result: await tenant.results.find(uuid),
    request: await tenant.requests.find(id),
  }));
  expect(after.result?.releasedAt).toBeNull();
  expect(after.request).toMatchObject({
    resultReason: "urgent_result_held",
    handledReason: null,
  });
  expect(await shown()).toHaveLength(1);
});

test("an erased test of a database that was restored keeps no other from the reviewer", async () => {
  const { shop, arrives, shown, id, others } = await start();
  const [other = ""] = await others();
  await arrives(other, NORMAL);
  await arrives(id, CRITICAL);
  await db.pool.query("DELETE FROM data_keys WHERE shop = $1 AND subject = $2", [
    shop,
    `request ${other}`,
  ]);
  db.sealers.forget(shop);
  expect(await shown()).toMatchObject([
    { requestId: id, isUrgent: true },
    { requestId: other, patient: null },
  ]);
});
