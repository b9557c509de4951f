import type { Scope } from "../../../platform/database/scope.ts";
import { inflated } from "../../../platform/encryption/deflated.ts";
import type { Subject } from "../../../platform/encryption/subject.ts";
import { DocumentStoreFailed, KeyDamaged } from "../../../platform/errors.ts";
import { gid } from "../../kernel/ids.ts";
import type { DataSubject } from "../../orders/privacy-request.ts";
import { savedPatientRepository } from "../../patients/postgres/saved-patients.ts";
import type { Receipt } from "../privacy.ts";
import { findOf } from "./data-subject.ts";

/**
 * Everything that is held about somebody and that they may see, in clear: the answer to their question what is held about
 * them. Results that are not released are counted and left out: nobody learns of them by another way.
 * Results that their owner has hidden are left out.
 */
export async function gatherHeld(
  scope: Scope,
  subject: DataSubject,
  pdfs: ReadonlyMap<string, Buffer>,
): Promise<{ held: unknown; counts: Receipt; requestIds: string[] }> {
  const { tx, shop, keys } = scope;
  const { orderIds, requestIds } = await findOf(scope, subject);
  const openerOf = await keys.openers([
    ...orderIds.map((order) => ({ order })),
    ...requestIds.map((request) => ({ request })),
  ]);
  const opened = (
    subject: Subject,
    [table, column, row]: [string, string, string],
    sealed: Uint8Array | null,
  ) =>
    sealed && sealed.length > 0
      ? orUnreadable(() => openerOf(subject).openJson({ table, column, row }, sealed))
      : null;
  const ofRequests = { where: { shop, requestId: { in: requestIds } } };

  const orders = (await tx.order.findMany({ where: { shop, orderId: { in: orderIds } } })).map(
    ({ orderId, name, paidAt, cancelledAt, buyerSealed }) => ({
      id: orderId,
      name,
      paidAt,
      cancelledAt,
      buyer: opened(
        { order: gid("Order", orderId) },
        ["orders", "buyer", gid("Order", orderId)],
        buyerSealed,
      ),
    }),
  );
  const lines = await tx.orderLine.findMany({
    where: { shop, orderId: { in: orderIds } },
    select: { orderId: true, title: true, sku: true, quantity: true },
  });
  const own = await tx.referralRequest.findMany({ where: { shop, id: { in: requestIds } } });
  const hidden = new Set(own.filter((one) => one.resultsHiddenAt !== null).map(({ id }) => id));
  const requests = own.map(
    ({ id, orderId, title, state, referenceNumber, createdAt, consentAt, patientSealed }) => ({
      id,
      orderId,
      title,
      state,
      referenceNumber,
      createdAt,
      consentAt,
      details: opened({ request: id }, ["referral_requests", "patient", id], patientSealed),
    }),
  );
  const consents = await tx.$queryRaw<object[]>`
    SELECT c.request_id::text AS "requestId", c.given_by AS "givenBy", c.given_at AS "givenAt", c.version,
           coalesce(w.wording, c.wording) AS wording
    FROM consents c LEFT JOIN notice_wordings w ON w.shop = ${shop} AND w.digest = c.wording_digest
    WHERE c.shop = ${shop} AND c.request_id = ANY(${requestIds}::uuid[]) ORDER BY c.given_at`;
  const corrections = (await tx.patientCorrection.findMany(ofRequests)).map(
    ({ requestId, number, state, savedAt, patientSealed }) => ({
      requestId,
      state,
      savedAt,
      details: opened(
        { request: requestId },
        ["patient_corrections", "patient", `${requestId} ${number}`],
        patientSealed,
      ),
    }),
  );
  // Another person's details and form are not this one's to take.
  const named = (await tx.referral.findMany(ofRequests)).filter(({ otherPerson }) => !otherPerson);
  const referrals = named.map(({ uuid, requestId, status, snapshotSealed }) => ({
    uuid,
    requestId,
    status,
    referral: opened({ request: requestId }, ["referrals", "snapshot", uuid], snapshotSealed),
  }));
  // Consent was withdrawn: nobody sees them, staff neither (hide-own-results.ts).
  const stored = (await tx.result.findMany(ofRequests)).filter((one) => !hidden.has(one.requestId));
  const released = stored.filter(
    ({ releasedAt, deletedAt, otherPerson }) => releasedAt && !deletedAt && !otherPerson,
  );
  const results = released.map(
    ({ uuid, requestId, status, releasedAt, snapshotSealed, releaseSealed }) => ({
      uuid,
      requestId,
      status,
      releasedAt,
      result: opened({ request: requestId }, ["results", "snapshot", uuid], snapshotSealed),
      release: opened({ request: requestId }, ["results", "release", uuid], releaseSealed),
    }),
  );
  const sources = {
    referrals: named.map(({ uuid }) => uuid),
    results: released.map(({ uuid }) => uuid),
  };
  const documents = await gatherDocuments(scope, { requestIds, ...sources, pdfs });
  const savedPatients = subject.customerId
    ? (await savedPatientRepository(scope).of(gid("Customer", subject.customerId))).map(
        ({ patient, medicare }) => ({ details: patient, medicare }),
      )
    : [];
  const mails = await tx.notification.findMany({
    ...ofRequests,
    select: { requestId: true, kind: true, sentAt: true },
  });
  const accesses = await tx.accessEntry.findMany({
    ...ofRequests,
    orderBy: { id: "asc" },
    select: { requestId: true, at: true, who: true, what: true },
  });
  const shares = await tx.resultShare.findMany({
    where: { shop, requestId: { in: requestIds.filter((id) => !hidden.has(id)) } },
    select: { requestId: true, createdAt: true, expiresAt: true, revokedAt: true },
  });
  // By their orders, for the timeline is in the order of these. A line about an erasure names no order. A unit that was handed to its
  // patient is that person's affair.
  const ofOwn = { requestId: { in: requestIds } };
  const theirOrders = own.map(({ orderId }) => orderId);
  const entries = await tx.timelineEntry.findMany({
    where: {
      shop,
      OR: [
        { orderId: { in: orderIds }, requestId: null },
        { orderId: { in: theirOrders }, ...ofOwn },
        { orderId: null, ...ofOwn },
      ],
    },
    orderBy: { id: "asc" },
    select: { at: true, kind: true, actor: true, orderId: true, requestId: true },
  });
  const kinds = {
    orders,
    lines,
    requests,
    consents,
    corrections,
    referrals,
    results,
    documents,
    savedPatients,
    mails,
    accesses,
    shares,
  };
  return {
    held: {
      shop,
      ...kinds,
      resultsNotReleased: stored.length - released.length,
      timeline: entries,
    },
    counts: Object.fromEntries(Object.entries(kinds).map(([kind, rows]) => [kind, rows.length])),
    requestIds,
  };
}

/** In the place of what a damaged key seals. The rest is given all the same, and nobody takes this for all that is held. */
const UNREADABLE = {
  isUnreadable: true,
  why: "Pathway holds this, and can’t read it: its key is damaged.",
} as const;

function orUnreadable<T>(open: () => T): T | typeof UNREADABLE {
  try {
    return open();
  } catch (error) {
    if (error instanceof KeyDamaged) return UNREADABLE;
    throw error;
  }
}

/** All versions of all forms, and of reports of these results, each with its PDF in base64, or that it is lost. */
async function gatherDocuments(
  { tx, shop, keys }: Scope,
  {
    requestIds,
    referrals,
    results,
    pdfs,
  }: {
    requestIds: string[];
    referrals: string[];
    results: string[];
    pdfs: ReadonlyMap<string, Buffer>;
  },
) {
  const openerOf = await keys.openers(requestIds.map((request) => ({ request })));
  const rows = await tx.document.findMany({
    where: {
      shop,
      requestId: { in: requestIds },
      OR: [
        { kind: "referral", sourceUuid: { in: referrals } },
        { kind: "result", sourceUuid: { in: results } },
      ],
    },
    orderBy: { createdAt: "asc" },
  });
  const bodies = await tx.documentBody.findMany({
    where: { shop, documentId: { in: rows.map((row) => row.id) } },
  });
  return rows.map(({ id, requestId, kind, version, partial, createdAt, bytes }) => {
    const body = bodies.find((one) => one.documentId === id);
    const field = { table: "document_bodies", column: "body", row: id };
    // A body outside the database is sealed by the key that stands in its row.
    const pdf =
      body &&
      orUnreadable(() => {
        const opened = openerOf({ request: requestId }).open(field, body.bodySealed);
        return body.object ? pdfs.get(id) : inflated(opened, bytes);
      });
    const about = { id, requestId, kind, version, partial, createdAt };
    if (pdf && !Buffer.isBuffer(pdf)) return { ...about, ...pdf };
    const isLost = !pdf && Boolean(body?.lostAt);
    // Stored since the PDFs were brought: the whole is gathered again.
    if (body?.object && !pdf && !isLost) throw new DocumentStoreFailed("missing");
    const content = isLost ? { isLost } : { pdf: pdf?.toString("base64") };
    return { ...about, ...content };
  });
}
