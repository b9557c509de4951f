import type { InboxRepository } from "../../domain/inbox.ts";
import { oneOf } from "../one-of.ts";
import type { Scope } from "./scope.ts";

/** Where a message's sealed body lives. Its row is named before the database has numbered it. */
export const inboxField = (source: string, topic: string, eventId: string) => ({
  table: "inbox",
  column: "body",
  row: `${source} ${topic} ${eventId}`,
});

export function inboxRepository({ tx, shop, sealer }: Scope): InboxRepository {
  return {
    async find(id) {
      const row = await tx.inboxEntry.findUnique({ where: { shop_id: { shop, id: BigInt(id) } } });
      if (!row?.bodySealed) return null;
      const { topic, eventId, triggeredAt, receivedAt } = row;
      const source = oneOf(["shopify", "service"], row.source);
      const body = sealer.open(inboxField(source, topic, eventId), row.bodySealed);
      return { id, source, topic, eventId, triggeredAt, receivedAt, body };
    },
    async finish(id, state) {
      await tx.inboxEntry.updateMany({
        where: { shop, id: BigInt(id) },
        data: { state, bodySealed: null },
      });
    },
    async park(id) {
      await tx.inboxEntry.updateMany({
        where: { shop, id: BigInt(id) },
        data: { state: "parked" },
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
