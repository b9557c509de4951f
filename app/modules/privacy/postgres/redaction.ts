import { Prisma } from "../../../generated/prisma/client.ts";
import { heldRequests } from "../../../platform/database/held-rows.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { unanswered } from "../../../platform/database/unanswered.ts";
import { gid, type OrderId } from "../../kernel/ids.ts";
import { lockOrder } from "../../orders/postgres/order-lock.ts";
import type { RedactionRepository } from "../redaction.ts";
import { findToRedact } from "./data-subject.ts";
import { deleteDependentRows, emptySealed } from "./dependent-rows.ts";

/** Stored in the place of a destroyed snapshot. */
const NOTHING = Buffer.alloc(0);

export function redactionRepository(scope: Scope): RedactionRepository {
  const { tx, shop, keys } = scope;
  const emptyExports = async (which: Prisma.Sql): Promise<number> => {
    const emptied = await tx.$queryRaw<{ id: bigint }[]>`
      UPDATE privacy_requests SET export_sealed = NULL, customer_id = NULL, order_ids = '{}'
      WHERE shop = ${shop} AND export_sealed IS NOT NULL AND (${which}) RETURNING inbox_id AS id`;
    await keys.destroy(emptied.map(({ id }) => ({ export: String(id) })));
    return emptied.length;
  };
  /** Orders first, as whoever reads one again holds it before its requests. */
  const hold = async ({ requestIds, orderIds }: { requestIds: string[]; orderIds: OrderId[] }) => {
    for (const orderId of orderIds.toSorted()) await lockOrder(scope, orderId);
    await unanswered(
      tx,
      Prisma.sql`
      SELECT FROM referral_requests WHERE shop = ${shop} AND id = ANY(${requestIds}::uuid[]) ORDER BY id FOR UPDATE`,
    );
  };
  return {
    of: (subject, until) => findToRedact(scope, subject, until ?? undefined),
    async ofForUpdate(subject, until) {
      const find = () => findToRedact(scope, subject, until ?? undefined);
      await hold(await find());
      // A unit may have been handed to its patient while this waited for it.
      return find();
    },
    async expired(before, limit) {
      const found = await readExpired(scope, { before, limit });
      if (found.requestIds.length + found.orderIds.length === 0) return found;
      await hold(found);
      // Somebody may have done something with one while this waited for it.
      return readExpired(scope, { before, limit, among: found });
    },
    async requests(ids, at) {
      // Waits for whoever is storing something of them, and is waited for (`isRedacted`).
      const rows = await tx.$queryRaw<{ id: string; state: string; redacted: boolean }[]>`
        SELECT id, state, redacted_at IS NOT NULL AS redacted FROM referral_requests
        WHERE shop = ${shop} AND id = ANY(${ids}::uuid[]) ORDER BY id FOR UPDATE`;
      const sending = rows.filter((row) => row.state === "sending");
      const fit = rows.filter((row) => row.state !== "sending");
      const done = fit.map((row) => row.id);
      const redacted = fit.filter((row) => !row.redacted).map((row) => row.id);
      heldRequests(tx).clear();
      await tx.referralRequest.updateMany({
        where: { shop, id: { in: redacted } },
        data: { consentAt: null, customerId: null, redactedAt: at },
      });
      const where = { shop, requestId: { in: done } };
      const documents = (await tx.document.findMany({ where, select: { id: true } })).map(
        (row) => row.id,
      );
      const theirs = { shop, documentId: { in: documents } };
      await tx.documentBody.deleteMany({ where: theirs });
      await tx.documentTicket.deleteMany({ where: theirs });
      await emptySealed(scope, done);
      const deleted = await deleteDependentRows(scope, done);
      await keys.destroy(done.map((request) => ({ request })));
      const referrals = await tx.referral.updateMany({ where, data: { snapshotSealed: NOTHING } });
      return {
        receipt: {
          requests: redacted.length,
          referrals: referrals.count,
          ...deleted,
        },
        redacted,
        sending: sending.length,
      };
    },
    async orders(ids, at) {
      for (const orderId of ids.toSorted()) await lockOrder(scope, orderId);
      const redacted = await tx.order.updateManyAndReturn({
        where: { shop, orderId: { in: ids }, redactedAt: null },
        data: {
          ...{ buyerSealed: null, customerId: null, redactedAt: at },
          ...{ reviewCode: null, handledCode: null, reasonCode: null },
          ...{ standingCodes: [], handledCodes: [] },
        },
        select: { orderId: true },
      });
      const done = redacted.map(({ orderId }) => orderId);
      await tx.orderWord.deleteMany({ where: { shop, orderId: { in: done } } });
      await keys.destroy(done.map((order) => ({ order })));
      return redacted.length;
    },
    async dataExports({ customerId, orderIds }) {
      return emptyExports(
        Prisma.sql`customer_id = ${customerId} OR order_ids && ${orderIds}::text[]`,
      );
    },
    async reopenExports({ requestIds, orderIds, customerIds = [] }) {
      const reopened = await tx.$queryRaw<{ id: bigint }[]>`
        WITH RECURSIVE touched AS (
          SELECT customer_id, order_id FROM referral_requests WHERE shop = ${shop} AND id = ANY(${requestIds}::uuid[])
          UNION
          SELECT customer_id, order_id FROM orders WHERE shop = ${shop} AND order_id = ANY(${orderIds})
          UNION
          SELECT id, NULL FROM unnest(${customerIds}::text[]) AS id
        ), persons AS (
          SELECT customer_id AS id FROM touched
          UNION
          -- Joined since the export was made for them.
          SELECT m.from_id FROM customer_merges m JOIN persons ON m.into_id = persons.id WHERE m.shop = ${shop}
        )
        UPDATE privacy_requests SET export_sealed = NULL, done_at = NULL, receipt = NULL
        -- One that is just being packed too: whoever packs holds the row, so that this comes before or after it.
        WHERE shop = ${shop} AND (export_sealed IS NOT NULL OR kind = 'customer_data_requested' AND done_at IS NULL)
          AND (customer_id IN (SELECT id FROM persons)
               OR order_ids && ARRAY(SELECT order_id FROM touched))
        RETURNING inbox_id AS id`;
      const inboxIds = reopened.map(({ id }) => String(id));
      await keys.destroy(inboxIds.map((inboxId) => ({ export: inboxId })));
      return inboxIds;
    },
    async exportsBefore(before) {
      await emptyExports(Prisma.sql`done_at < ${before}`);
    },
    async exports(inboxIds) {
      await emptyExports(Prisma.sql`inbox_id = ANY(${inboxIds.map(BigInt)}::bigint[])`);
    },
    async merges(customerId) {
      await keys.destroy([{ customer: customerId }]);
      await tx.customerMerge.deleteMany({
        where: { shop, OR: [{ fromId: customerId }, { intoId: customerId }] },
      });
    },
  };
}

/** Requests and orders of which nothing has changed since `before`. `among`: of these alone. */
async function readExpired(
  { tx, shop }: Pick<Scope, "tx" | "shop">,
  {
    before,
    limit,
    among,
  }: { before: Date; limit: number; among?: { requestIds: string[]; orderIds: OrderId[] } },
): Promise<{ requestIds: string[]; orderIds: OrderId[] }> {
  const theseRequests = among
    ? Prisma.sql`AND r.id = ANY(${among.requestIds}::uuid[])`
    : Prisma.empty;
  const requests = await tx.$queryRaw<{ id: string }[]>`
    SELECT r.id FROM referral_requests r
    WHERE r.shop = ${shop} AND r.redacted_at IS NULL AND r.state <> 'sending'
      AND r.updated_at < ${before} AND r.created_at < ${before} ${theseRequests}
      AND NOT EXISTS (SELECT FROM referrals f WHERE f.shop = r.shop AND f.request_id = r.id
                      AND f.service_updated_at >= ${before})
      AND NOT EXISTS (SELECT FROM results s WHERE s.shop = r.shop AND s.request_id = r.id
                      AND s.service_updated_at >= ${before})
    ORDER BY r.id LIMIT ${limit}`;
  const theseOrders = among
    ? Prisma.sql`AND o.order_id = ANY(${among.orderIds}::text[])`
    : Prisma.empty;
  const orders = await tx.$queryRaw<{ id: string }[]>`
    SELECT o.order_id AS id FROM orders o
    WHERE o.shop = ${shop} AND o.redacted_at IS NULL AND o.paid_at < ${before}
      AND coalesce(o.store_updated_at, o.paid_at) < ${before} ${theseOrders}
      AND NOT EXISTS (SELECT FROM referral_requests r WHERE r.shop = o.shop
                      AND r.order_id = o.order_id AND r.redacted_at IS NULL)
    ORDER BY o.order_id LIMIT ${limit}`;
  return {
    requestIds: requests.map((row) => row.id),
    orderIds: orders.map((row) => gid("Order", row.id)),
  };
}
