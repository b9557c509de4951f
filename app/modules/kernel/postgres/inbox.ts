import { Prisma } from "../../../generated/prisma/client.ts";
import { parseEnum } from "../../../platform/database/parse-enum.ts";
import { rowsOf } from "../../../platform/database/rows-of.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { unanswered } from "../../../platform/database/unanswered.ts";
import type { ShopSealer } from "../../../platform/encryption/sealer.ts";
import { gidNumber } from "../ids.ts";
import type { InboxRepository, ParkedOrder } from "../inbox.ts";

interface Envelope {
  source: string;
  topic: string;
  eventId: string;
}

/** Where a message's sealed body lives. Its row is named before the database has numbered it. */
const bodyField = ({ source, topic, eventId }: Envelope) => ({
  table: "inbox",
  column: "body",
  row: `${source} ${topic} ${eventId}`,
});

export function sealBody(
  sealer: ShopSealer,
  envelope: Envelope,
  body: Buffer,
): Buffer<ArrayBuffer> {
  return sealer.messages.seal(bodyField(envelope), body);
}

export function openBody(sealer: ShopSealer, envelope: Envelope, sealed: Uint8Array): Buffer {
  return sealer.messages.open(bodyField(envelope), sealed);
}

/** A body that names an order, and its payment if one was told, in the words of every topic about orders. */
function parkedBody({ orderId, paid }: ParkedOrder): Buffer {
  const id = gidNumber(orderId);
  const payment = paid && {
    ...{ name: paid.name, test: paid.test },
    ...{ created_at: paid.placedAt, updated_at: paid.changedAt },
  };
  const order = { id, admin_graphql_api_id: orderId, ...payment };
  return Buffer.from(JSON.stringify({ ...order, order_id: id, order_edit: { order_id: id } }));
}

type InboxRow = NonNullable<Awaited<ReturnType<Scope["tx"]["inboxEntry"]["findUnique"]>>>;

const readEntries = rowsOf<InboxRow>("inbox", Object.values(Prisma.InboxEntryScalarFieldEnum));

export function inboxRepository({ tx, shop, sealer }: Scope): InboxRepository {
  return {
    async find(id) {
      const [row] = await readEntries(tx, Prisma.sql`shop = ${shop} AND id = ${BigInt(id)}`);
      if (!row?.bodySealed) return null;
      const { topic, eventId, triggeredAt, receivedAt } = row;
      const source = parseEnum(["shopify", "service"], row.source);
      const body = openBody(sealer, { source, topic, eventId }, row.bodySealed);
      return { id, source, topic, eventId, triggeredAt, receivedAt, body };
    },
    async cameOtherwise(id) {
      const [row] = await tx.$queryRaw<{ came: boolean | null }[]>`
        SELECT body_came_otherwise(body_digest, shop, topic) AS came
        FROM inbox WHERE shop = ${shop} AND id = ${BigInt(id)}`;
      return row?.came ?? false;
    },
    async refusedSince(since) {
      const rows = await tx.$queryRaw<{ reason: string; count: bigint; last: Date }[]>`
        SELECT coalesce(refusal, state) AS reason, count(*) AS count, max(received_at) AS last
        FROM inbox WHERE shop = ${shop} AND source = 'shopify'
          AND state IN ('refused', 'unreadable') AND received_at >= ${since}
        GROUP BY 1 ORDER BY 3 DESC`;
      return rows.map(({ reason, count, last }) => ({
        reason,
        count: Number(count),
        lastAt: last,
      }));
    },
    async stateOf(message) {
      const row = await tx.inboxEntry.findUnique({
        where: { shop_source_topic_eventId: { shop, ...message } },
        select: { state: true },
      });
      return row?.state ?? null;
    },
    async finish(id, state, told) {
      const { eventType = null, about = null, ledTo = null } = told ?? {};
      await unanswered(
        tx,
        Prisma.sql`
        UPDATE inbox SET state = ${state}, body_sealed = NULL, event_type = coalesce(${eventType}, event_type),
          about = coalesce(${about}::uuid, about), led_to = coalesce(${ledTo}, led_to)
        WHERE shop = ${shop} AND id = ${BigInt(id)}`,
      );
    },
    async refuse(id, refusal) {
      await tx.inboxEntry.updateMany({
        where: { shop, id: BigInt(id) },
        data: { state: "refused", refusal, bodySealed: null },
      });
    },
    async park(id, order) {
      const where = { shop_id: { shop, id: BigInt(id) } };
      const row = await tx.inboxEntry.findUniqueOrThrow({ where });
      const bodySealed = sealBody(sealer, row, parkedBody(order));
      await tx.inboxEntry.update({ where, data: { state: "parked", bodySealed } });
    },
    async parkOrder(orderId, paid) {
      // In the store's own words, so that it is let in as any message about an order.
      const eventId = `parked ${orderId}`;
      // A payment has a row of its own: most messages about its order tell of none, and would take its place.
      const topic = paid ? "orders/paid" : "orders/updated";
      const envelope = { source: "shopify", topic, eventId };
      const bodySealed = sealBody(sealer, envelope, parkedBody({ orderId, paid }));
      const state = "parked";
      await tx.inboxEntry.upsert({
        where: { shop_source_topic_eventId: { shop, ...envelope } },
        create: { shop, ...envelope, bodySealed, state },
        update: { bodySealed, state },
      });
    },
    async unpark() {
      const { count } = await tx.inboxEntry.updateMany({
        where: { shop, state: "parked" },
        data: { state: "received" },
      });
      return count;
    },
  };
}
