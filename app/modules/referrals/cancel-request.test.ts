/** Long because a cancellation meets every state of a unit. */
import { createHash, randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { BOTH_PARTS, startCreated } from "../../../test/database/created.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { IN_DATABASE } from "../../../test/database/in-database.ts";
import { startRequest } from "../../../test/database/request.ts";
import { PATIENT, storeOrder } from "../../../test/database/seed.ts";
import { findCustomerRequest } from "../access/list-requests.ts";
import { openDocument } from "../access/open-document.ts";
import { savePatientDetails } from "../access/save-patient-details.ts";
import { gid } from "../kernel/ids.ts";
import { markHandled } from "../reports/mark-handled.ts";
import { apply } from "./apply.ts";
import { cancelRequest, previewCancellation } from "./cancel-request.ts";
import { cancelUnit } from "./cancel-unit.ts";
import { deleteReferrals } from "./delete-referrals.ts";
import { keepRequest } from "./keep-request.ts";
import { gatherFacts } from "./request-facts.ts";

const db = await openTestDatabase();
const actor = "staff:7" as const;
const OWNER = gid("Customer", 7);
type Started = Awaited<ReturnType<typeof startCreated>>;

const cancel = ({ ports, target }: Pick<Started, "ports" | "target">) =>
  cancelRequest(ports, { ...target, actor });
async function preview({ shop, requestId }: Pick<Started, "shop" | "requestId">) {
  return db.tenancy.inShop(shop, async (tenant) => {
    const request = await tenant.requests.find(requestId);
    const [facts] = request ? await gatherFacts(tenant, [request]) : [];
    return facts && previewCancellation(facts);
  });
}
async function refund({ shop, clock, find }: Started) {
  const request = await find();
  if (!request) throw new Error("it is gone");
  const wish = { by: "store", actor: "shopify", now: clock.now() } as const;
  return db.tenancy.inShop(shop, (tenant) => cancelUnit(tenant, request, wish));
}
/** The order of a unit, as the list of what needs attention has it. */
async function orderOf({ shop, clock, find }: Started) {
  const request = await find();
  if (!request) throw new Error("it is gone");
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.orders.record(storeOrder({ id: request.orderId }), new Map(), clock.now()),
  );
  return request.orderId;
}
async function storeForm({ shop, requestId, uuids, clock }: Started) {
  const pdf = Buffer.from("%PDF-1.7 form");
  const id = randomUUID();
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.documents.store(
      {
        id,
        requestId,
        customerId: OWNER,
        kind: "referral",
        sourceUuid: uuids()[0] ?? "",
        partial: false,
        sha256: createHash("sha256").update(pdf).digest("hex"),
        bytes: pdf.length,
      },
      pdf,
      clock.now(),
    ),
  );
  return () =>
    openDocument(
      { tenancy: db.tenancy, clock, documentBodies: IN_DATABASE },
      {
        shop,
        viewer: { kind: "customer", customerId: OWNER },
        documentId: id,
      },
    );
}

describe("a person cancels", () => {
  test("what was not sent: it ends at once, and the unit stays paid for", async () => {
    const started = await startRequest(db);
    expect(await preview(started)).toBe("not_sent");
    expect(await cancel(started)).toEqual({ kind: "cancelled" });
    expect(await started.find()).toMatchObject({
      state: "cancelled",
      cancellation: { requestedBy: "staff", status: "done" },
    });
    expect(await started.create()).toEqual({ kind: "not_due" });
    expect(await preview(started)).toBe("nothing");
    expect(await cancel(started)).toEqual({ kind: "nothing_to_cancel" });
  });

  test("a referral without results: it is deleted once, and its form opens no more", async () => {
    const created = await startCreated(db);
    const open = await storeForm(created);
    expect(await open()).not.toBeNull();
    expect(await preview(created)).toBe("deletable");
    expect(await cancel(created)).toEqual({ kind: "deleting" });
    expect(await cancel(created)).toEqual({ kind: "deleting" });
    expect(await created.takeJobs()).toEqual(["delete-referrals", "delete-referrals"]);
    expect(await created.withdraw()).toMatchObject({ kind: "deleted" });
    expect(await created.withdraw()).toEqual({ kind: "not_due" });
    expect(created.service.deletions).toHaveLength(1);
    expect(await created.find()).toMatchObject({ state: "cancelled", reviewReason: null });
    const [referral] = await created.referrals();
    expect(referral?.deletedAt).not.toBeNull();
    expect(await open()).toBeNull();
    const { rows } = await db.pool.query(
      "SELECT replaced_at FROM documents WHERE shop = $1 AND replaced_at IS NULL",
      [created.shop],
    );
    expect(rows).toEqual([]);
    const story = await created.story(created.requestId);
    expect(story.filter((kind) => /withdraw/.test(kind))).toEqual([
      "withdrawal_asked",
      "request_withdrawn",
    ]);
  });

  test("a deletion leaves no later than a moment after its reading: results may have come", async () => {
    const created = await startCreated(db);
    await cancel(created);
    const { ports, target, shop, service, clock } = created;
    const real = await ports.services.forConnection(shop, "staging");
    if (!real) throw new Error("no service");
    const [uuid = ""] = created.uuids();
    const getReferral = async (asked: string) => {
      const found = await real.getReferral(asked);
      // The process stands still here, and the laboratory reports.
      clock.advance(60_000);
      service.set(uuid, { status: "COMPLETE", resultsUuid: randomUUID() });
      return found;
    };
    const services = { forConnection: async () => ({ ...real, getReferral }) };
    await expect(deleteReferrals({ ...ports, services }, target)).rejects.toThrow("deadline");
    expect(service.deletions).toEqual([]);
    expect(await created.withdraw()).toEqual({ kind: "kept" });
    expect(service.deletions).toEqual([]);
  });

  test("both referrals of a Medicare order", async () => {
    const created = await startCreated(db, { items: BOTH_PARTS });
    await cancel(created);
    await created.withdraw();
    expect(created.service.deletions.toSorted()).toEqual(created.uuids().toSorted());
  });

  test("keeps a test that has results", async () => {
    const created = await startCreated(db);
    await created.become({ status: "PARTIAL_RESULTS", resultsUuid: randomUUID() });
    expect(await preview(created)).toBe("has_results");
    expect(await cancel(created)).toEqual({ kind: "has_results" });
    expect(await created.find()).toMatchObject({ state: "created", cancellation: null });
    expect(created.service.deletions).toEqual([]);
  });

  test("while it is being sent: it ends as soon as that is settled", async () => {
    const started = await startRequest(db);
    started.service.next("reset_after");
    await started.create();
    expect(await preview(started)).toBe("unsettled");
    expect(await cancel(started)).toEqual({ kind: "unsettled" });
    await started.resolve();
    expect(await started.find()).toMatchObject({
      state: "created",
      cancellation: { requestedBy: "staff", status: "confirmed" },
    });
    expect((await started.takeJobs()).at(-1)).toBe("delete-referrals");
  });
});

describe("a deletion", () => {
  test("that finds results first deletes nothing, and says so", async () => {
    const created = await startCreated(db);
    await cancel(created);
    for (const uuid of created.uuids())
      created.service.set(uuid, { status: "COMPLETE", resultsUuid: randomUUID() });
    await created.takeJobs();
    expect(await created.withdraw()).toEqual({ kind: "kept" });
    expect(created.service.deletions).toEqual([]);
    // It has not been fetched since, and its results are its patient's.
    expect(await created.takeJobs()).toContain("refetch-referral");
    expect(await created.find()).toMatchObject({
      state: "created",
      cancellation: null,
      reviewReason: { code: "withdrawal_too_late", detail: null },
    });
  });

  test("that finds results first keeps in mind that the store refunded the unit meanwhile", async () => {
    const created = await startCreated(db);
    const { ports, shop, target } = created;
    await cancel(created);
    for (const uuid of created.uuids())
      created.service.set(uuid, { status: "COMPLETE", resultsUuid: randomUUID() });
    const real = await ports.services.forConnection(shop, "staging");
    if (!real) throw new Error("no service");
    const getReferral = async (uuid: string) => {
      await refund(created);
      return real.getReferral(uuid);
    };
    const services = { forConnection: async () => ({ ...real, getReferral }) };
    expect(await deleteReferrals({ ...ports, services }, target)).toEqual({ kind: "kept" });
    expect(await created.find()).toMatchObject({
      state: "created",
      cancellation: { requestedBy: "store", status: "requested" },
      reviewReason: { code: "refunded_after_results", detail: null },
    });
  });

  test("whose answer has results that came meanwhile is told to a person", async () => {
    const created = await startCreated(db);
    const { ports, shop, target, service } = created;
    await cancel(created);
    const real = await ports.services.forConnection(shop, "staging");
    if (!real) throw new Error("no service");
    const deleteReferral: typeof real.deleteReferral = (uuid, call) => {
      service.set(uuid, { status: "PARTIAL_RESULTS", resultsUuid: randomUUID() });
      return real.deleteReferral(uuid, call);
    };
    const services = { forConnection: async () => ({ ...real, deleteReferral }) };
    expect(await deleteReferrals({ ...ports, services }, target)).toMatchObject({
      kind: "deleted",
    });
    expect(await created.find()).toMatchObject({
      state: "created",
      stage: "attention",
      reviewReason: { code: "deleted_with_results", detail: null },
    });
  });

  test("that is refused for the second referral of two keeps in mind that the first is gone", async () => {
    const created = await startCreated(db, { items: BOTH_PARTS });
    const { ports, shop, target, service } = created;
    await cancel(created);
    const real = await ports.services.forConnection(shop, "staging");
    if (!real) throw new Error("no service");
    const deleteReferral: typeof real.deleteReferral = async (uuid, call) => {
      const deleted = await real.deleteReferral(uuid, call);
      service.deletes = false;
      return deleted;
    };
    const services = { forConnection: async () => ({ ...real, deleteReferral }) };
    expect(await deleteReferrals({ ...ports, services }, target)).toEqual({ kind: "refused" });
    const gone = (await created.referrals()).filter(({ deletedAt }) => deletedAt !== null);
    expect(gone.map(({ uuid }) => uuid)).toEqual(service.deletions);
    expect(service.deletions).toHaveLength(1);
    expect(await created.find()).toMatchObject({ reviewReason: { code: "withdrawal_refused" } });
  });

  test("leaves alone what was deleted before, and the service may not know any more", async () => {
    const created = await startCreated(db, { items: BOTH_PARTS });
    const [gone = "", left = ""] = created.uuids();
    await db.tenancy.inShop(created.shop, (tenant) =>
      tenant.referrals.markGone(gone, created.clock.now()),
    );
    await cancel(created);
    expect(await created.withdraw()).toEqual({ kind: "deleted", uuids: [left] });
    expect(created.service.deletions).toEqual([left]);
    expect(await created.find()).toMatchObject({ state: "cancelled" });
  });

  test("whose process died after the call is done when it is tried again", async () => {
    const created = await startCreated(db);
    await cancel(created);
    const [uuid = ""] = created.uuids();
    const service = await created.ports.services.forConnection(created.shop, "staging");
    const deadlineAt = new Date(created.clock.now().getTime() + 30_000);
    await service?.deleteReferral(uuid, { deadlineAt });
    expect(await created.withdraw()).toMatchObject({ kind: "deleted" });
    expect(created.service.deletions).toHaveLength(1);
    expect(await created.find()).toMatchObject({ state: "cancelled" });
  });

  test("of what the service does not know any more counts as done", async () => {
    const created = await startCreated(db);
    await cancel(created);
    created.service.referrals.splice(0);
    expect(await created.withdraw()).toMatchObject({ kind: "deleted" });
    expect(await created.find()).toMatchObject({ state: "cancelled" });
  });

  test("that the service refuses is told to a person, and not tried for ever", async () => {
    const created = await startCreated(db);
    await cancel(created);
    created.service.deletes = false;
    expect(await created.withdraw()).toEqual({ kind: "refused" });
    expect(await created.find()).toMatchObject({
      state: "created",
      reviewReason: { code: "withdrawal_refused", detail: null },
    });
    expect(await created.withdraw()).toEqual({ kind: "not_due" });
    created.service.deletes = true;
    await cancel(created);
    expect(await created.withdraw()).toMatchObject({ kind: "deleted" });
  });

  test("is not undone by an older reading that comes late", async () => {
    const created = await startCreated(db);
    const [uuid = ""] = created.uuids();
    const service = await created.ports.services.forConnection(created.shop, "staging");
    const older = await service?.getReferral(uuid);
    await cancel(created);
    await created.withdraw();
    if (older)
      await db.tenancy.inShop(created.shop, (tenant) =>
        tenant.referrals.save("staging", created.requestId, older, created.clock.now()),
      );
    expect((await created.referrals())[0]?.deletedAt).not.toBeNull();
  });
});

describe("a refund after the referral was made", () => {
  test("deletes it by itself, once", async () => {
    const created = await startCreated(db);
    expect(await refund(created)).toBe("deleting");
    expect(await refund(created)).toBe("deleting");
    await created.withdraw();
    expect(await created.find()).toMatchObject({
      state: "cancelled",
      cancellation: { requestedBy: "store", status: "done" },
    });
    expect(await refund(created)).toBe("nothing");
    expect(created.service.deletions).toHaveLength(1);
  });

  test("asks first when the shop wants that, and the click deletes", async () => {
    const created = await startCreated(db, { settings: { refundPolicy: "ask" } });
    expect(await refund(created)).toBe("asked");
    expect(await refund(created)).toBe("nothing");
    expect(await created.find()).toMatchObject({
      reviewReason: { code: "refunded_after_sending", detail: null },
    });
    expect(await created.withdraw()).toEqual({ kind: "not_due" });
    expect(created.service.deletions).toEqual([]);
    expect(await cancel(created)).toEqual({ kind: "deleting" });
    await created.withdraw();
    expect(await created.find()).toMatchObject({
      state: "cancelled",
      cancellation: { requestedBy: "store", status: "done" },
    });
    expect(created.service.deletions).toHaveLength(1);
  });

  test("closes form and details until staff decide, and opens them again when the patient keeps it", async () => {
    const created = await startCreated(db, { settings: { refundPolicy: "ask" } });
    const { ports, shop, requestId } = created;
    const viewer = { kind: "customer", customerId: OWNER } as const;
    const open = await storeForm(created);
    const seen = () => findCustomerRequest(ports, { shop, viewer, requestId });
    const details = { ...PATIENT, firstName: "Another", consent: true };
    const save = () => savePatientDetails(ports, { shop, viewer, requestId, details });
    expect(await seen()).toMatchObject({ state: "form_ready", canCorrect: true });

    await refund(created);
    expect(await open()).toBeNull();
    expect(await seen()).toMatchObject({
      state: "needs_support",
      nextStep: expect.stringContaining("the shop is deciding whether the test goes ahead"),
      statuses: [],
      documents: [],
      preparation: null,
      canCorrect: false,
      needsDecision: true,
    });
    expect(await save()).toEqual({ kind: "too_late" });

    const reason = { code: "refunded_after_sending", detail: null } as const;
    const decide = (kind: "reopened") =>
      db.tenancy.inShop(shop, (tenant) =>
        apply(tenant, requestId, { kind, reason }, { actor, at: created.clock.now() }),
      );
    const orderId = await orderOf(created);
    const handled = { shop, orderId, reason: "refunded_after_sending", actor } as const;
    // A click that says that somebody has seen it decides nothing.
    expect(await markHandled(ports, handled)).toEqual({ kind: "nothing_open" });
    expect(await open()).toBeNull();
    const keep = () => keepRequest(ports, { ...created.target, actor });
    expect(await keep()).toEqual({ kind: "kept" });
    expect(await keep()).toEqual({ kind: "nothing_to_keep" });
    expect(await created.story(requestId)).toContain("request_kept");
    expect(await open()).not.toBeNull();
    expect(await seen()).toMatchObject({
      state: "form_ready",
      canCorrect: true,
      needsDecision: false,
    });
    // The order is read again and again: nothing is asked anew.
    expect(await refund(created)).toBe("nothing");
    expect(await open()).not.toBeNull();
    await decide("reopened");
    expect(await open()).toBeNull();
    await keep();
    expect(await save()).toMatchObject({ kind: "saved" });
  });

  test("marks a refunded unit with results as handled, and its form stays closed", async () => {
    const created = await startCreated(db, { settings: { refundPolicy: "ask" } });
    const { ports, shop } = created;
    const open = await storeForm(created);
    await created.become({ status: "PARTIAL_RESULTS", resultsUuid: randomUUID() });
    expect(await refund(created)).toBe("kept");
    const orderId = await orderOf(created);
    const handled = { shop, orderId, reason: "refunded_after_results", actor } as const;
    expect(await markHandled(ports, handled)).toMatchObject({ kind: "marked" });
    expect(await created.find()).toMatchObject({ reason: null, kept: false });
    expect(await open()).toBeNull();
    expect(await keepRequest(ports, { ...created.target, actor })).toEqual({ kind: "kept" });
    expect(await open()).not.toBeNull();
  });

  test("reads as cancelled while its referral is being deleted, and when that is refused", async () => {
    const created = await startCreated(db);
    const { ports, shop, requestId } = created;
    const viewer = { kind: "customer", customerId: OWNER } as const;
    const open = await storeForm(created);
    await refund(created);
    const cancelled = {
      state: "cancelled",
      nextStep: expect.stringMatching(/is being cancelled. Please don’t use its form/),
      documents: [],
    };
    expect(await findCustomerRequest(ports, { shop, viewer, requestId })).toMatchObject(cancelled);
    await db.tenancy.inShop(shop, (tenant) =>
      apply(
        tenant,
        requestId,
        { kind: "withdrawal_refused" },
        { actor: "service", at: created.clock.now() },
      ),
    );
    expect(await open()).toBeNull();
    expect(await findCustomerRequest(ports, { shop, viewer, requestId })).toMatchObject(cancelled);
  });

  test("keeps it when it has results, and flags it once", async () => {
    const created = await startCreated(db);
    await created.become({ status: "COMPLETE", resultsUuid: randomUUID() });
    expect(await refund(created)).toBe("kept");
    expect(await refund(created)).toBe("nothing");
    expect(await created.find()).toMatchObject({
      state: "created",
      reviewReason: { code: "refunded_after_results", detail: null },
    });
    await created.refetch();
    expect((await created.find())?.reviewReason).toEqual({
      code: "refunded_after_results",
      detail: null,
    });
  });
});

test("a referral that was deleted in the service's own pages asks for a decision", async () => {
  const created = await startCreated(db);
  const open = await storeForm(created);
  await created.become({ deletedAt: new Date().toISOString() });
  expect(await created.find()).toMatchObject({
    state: "created",
    reviewReason: { code: "deleted_at_service", detail: null },
  });
  expect(await open()).toBeNull();
  // Nobody has cancelled it: it may be ordered again.
  const viewer = { kind: "customer", customerId: OWNER } as const;
  const seen = await findCustomerRequest(created.ports, { ...created.target, viewer });
  expect(seen?.nextStep).toMatch(
    /not valid any more.* The test is not cancelled: the shop is looking into it/,
  );
  expect(await preview(created)).toBe("not_sent");
  await cancel(created);
  await created.withdraw();
  expect(await created.find()).toMatchObject({ state: "cancelled" });
  expect(created.service.deletions).toEqual([]);
});
