import type { Pool } from "pg";
import { inboxField } from "../db/repositories/inbox.ts";
import type { Sealers } from "../db/sealer.ts";
import type { ShopDomain } from "../domain/ids.ts";

export interface IncomingMessage {
  shop: ShopDomain;
  source: "shopify" | "service";
  topic: string;
  eventId: string;
  deliveryId: string | null;
  triggeredAt: Date | null;
  body: Buffer;
}

const INSERT = {
  name: "intake",
  text: `INSERT INTO inbox (shop, source, topic, event_id, delivery_id, triggered_at, body_sealed)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
};

/**
 * Puts a message on disk, sealed with its shop's key, in one statement. A message that is there already is a
 * success. Rejects when the database did not take it; the sender must then not be told yes.
 */
export async function storeMessage(
  { pool, sealers }: { pool: Pool; sealers: Sealers },
  message: IncomingMessage,
): Promise<void> {
  const { shop, source, topic, eventId, deliveryId, triggeredAt, body } = message;
  const sealer = sealers.remembered(shop) ?? (await sealers.forShop(shop));
  const sealed = sealer.seal(inboxField(source, topic, eventId), body);
  await pool.query({
    ...INSERT,
    values: [shop, source, topic, eventId, deliveryId, triggeredAt, sealed],
  });
}
