import { Prisma } from "../../../generated/prisma/client.ts";
import { parseEnum } from "../../../platform/database/parse-enum.ts";
import { rowsOf } from "../../../platform/database/rows-of.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { unanswered } from "../../../platform/database/unanswered.ts";
import {
  type DueNotification,
  NOTIFICATION_KINDS,
  type NotificationRepository,
} from "../notification.ts";

type NotificationRow = NonNullable<Awaited<ReturnType<Scope["tx"]["notification"]["findUnique"]>>>;

const readNotifications = rowsOf<NotificationRow>(
  "notifications",
  Object.values(Prisma.NotificationScalarFieldEnum),
);

/** A mail that is sent, or noted anew, is neither put off nor left to another job. */
const OVER = { unclearUntil: null, putOffSince: null, putOffLast: null, putOffBy: null };

const insertOf = (
  due: { shop: string; requestId: string; kind: string; occurrence: string },
  at: Date,
) => Prisma.sql`
  INSERT INTO notifications (shop, id, request_id, kind, occurrence, created_at)
  VALUES (${due.shop}, gen_random_uuid(), ${due.requestId}::uuid, ${due.kind}, ${due.occurrence}, ${at})
  ON CONFLICT DO NOTHING`;

/** Words have one hash within a shop, and no column keeps it: it leaves the database. */
const JOURNAL = { table: "notifications", column: "journal", row: "" };
/** Enough of a hash to tell all mails of a shop apart. */
const HASH_BYTES = 16;

export function notificationRepository({ tx, shop, sealer }: Scope): NotificationRepository {
  const columns = ({ requestId, kind, occurrence = "" }: DueNotification) => ({
    shop,
    requestId,
    kind,
    occurrence,
  });
  return {
    async find(due) {
      const { requestId, kind, occurrence } = columns(due);
      const [row] = await readNotifications(
        tx,
        Prisma.sql`shop = ${shop} AND request_id = ${requestId}::uuid AND kind = ${kind} AND occurrence = ${occurrence}`,
      );
      if (!row) return null;
      const { createdAt: notedAt, sentAt, unclearUntil, putOffSince, putOffLast, putOffBy } = row;
      const putOff = putOffSince &&
        putOffLast &&
        putOffBy && { since: putOffSince, last: putOffLast, by: Buffer.from(putOffBy) };
      return { notedAt, sentAt, unclearUntil, putOff };
    },
    async markUnclear(due, unclearUntil) {
      await tx.notification.updateMany({
        where: { ...columns(due), sentAt: null },
        data: { unclearUntil },
      });
    },
    async markPutOff(due, putOff) {
      await tx.notification.updateMany({
        where: { ...columns(due), sentAt: null },
        data: {
          putOffSince: putOff?.since ?? null,
          putOffLast: putOff?.last ?? null,
          putOffBy: putOff && new Uint8Array(putOff.by),
        },
      });
    },
    async note(due, at) {
      return (await tx.$executeRaw(insertOf(columns(due), at))) > 0;
    },
    async noteOnce(due, at) {
      await unanswered(tx, insertOf(columns(due), at));
    },
    async countSince(requestId, since, kinds) {
      const kind = kinds && { in: [...kinds] };
      return tx.notification.count({ where: { shop, requestId, kind, createdAt: { gt: since } } });
    },
    async noted(requestIds, kind) {
      const rows = await readNotifications(
        tx,
        Prisma.sql`shop = ${shop} AND request_id = ANY(${requestIds}::uuid[]) AND kind = ${kind}`,
      );
      return rows.map(({ requestId, sentAt: at }) => ({ requestId, isSent: at !== null }));
    },
    async forget(due) {
      await tx.notification.deleteMany({ where: columns(due) });
    },
    async isNoted(kind, occurrence) {
      const where = { shop, kind, occurrence };
      return (await tx.notification.findFirst({ where, select: { id: true } })) !== null;
    },
    async reopen(due, at) {
      await tx.notification.updateMany({
        where: columns(due),
        data: { sentAt: null, createdAt: at, recipient: null, ...OVER },
      });
    },
    async unsent(requestIds) {
      const requestId = requestIds && { in: requestIds };
      const rows = await tx.notification.findMany({
        where: { shop, requestId, sentAt: null },
        orderBy: { createdAt: "asc" },
        select: { requestId: true, kind: true, occurrence: true },
      });
      return rows.map(({ requestId, kind, occurrence }) => ({
        requestId,
        kind: parseEnum(NOTIFICATION_KINDS, kind),
        occurrence,
      }));
    },
    async waiting(requestIds, kinds) {
      const rows = await readNotifications(
        tx,
        Prisma.sql`shop = ${shop} AND request_id = ANY(${requestIds}::uuid[])
          AND kind = ANY(${[...kinds]}::text[]) AND sent_at IS NULL ORDER BY created_at, id`,
      );
      return rows.map(({ requestId, kind, occurrence, createdAt }) => ({
        requestId,
        kind: parseEnum(NOTIFICATION_KINDS, kind),
        occurrence,
        notedAt: createdAt,
      }));
    },
    async ofRequests(requestIds) {
      const rows = await tx.notification.findMany({
        where: { shop, requestId: { in: requestIds } },
        orderBy: [{ createdAt: "desc" }, { id: "asc" }],
      });
      return rows.map(({ requestId, kind, occurrence, createdAt, sentAt: at, recipient }) => ({
        requestId,
        kind: parseEnum(NOTIFICATION_KINDS, kind),
        occurrence,
        notedAt: createdAt,
        sentAt: at,
        // While it is not sent, earlier versions keep something else there.
        recipient: at && recipient && Buffer.from(recipient),
      }));
    },
    async markAllSent(due, at, recipient) {
      const told = due.map(columns);
      const rows = await tx.$queryRaw<{ requestId: string; kind: string; occurrence: string }[]>`
        UPDATE notifications n SET sent_at = ${at}, recipient = ${recipient && new Uint8Array(recipient)},
          unclear_until = NULL, put_off_since = NULL, put_off_last = NULL, put_off_by = NULL
        FROM unnest(${told.map((one) => one.requestId)}::uuid[], ${told.map((one) => one.kind)}::text[],
                    ${told.map((one) => one.occurrence)}::text[]) AS told (request_id, kind, occurrence)
        WHERE n.shop = ${shop} AND n.request_id = told.request_id AND n.kind = told.kind
          AND n.occurrence = told.occurrence AND n.sent_at IS NULL
        RETURNING n.request_id::text AS "requestId", n.kind, n.occurrence`;
      return rows.map(({ requestId, kind, occurrence }) => ({
        ...{ requestId, occurrence },
        kind: parseEnum(NOTIFICATION_KINDS, kind),
      }));
    },
    async markSent(due, at, recipient = null) {
      const { count } = await tx.notification.updateMany({
        where: columns(due),
        data: { sentAt: at, recipient: recipient && new Uint8Array(recipient), ...OVER },
      });
      return count > 0;
    },
    hashOf: (...words) =>
      sealer
        .fingerprint(JOURNAL, JSON.stringify(words))
        .subarray(0, HASH_BYTES)
        .toString("base64url"),
  };
}
