import type { Pool } from "pg";
import type { ShopDomain } from "../../modules/kernel/ids.ts";
import { sealBody } from "../../modules/kernel/postgres/inbox.ts";
import { crashPoint } from "../../platform/crash-points.ts";
import type { Sealers } from "../../platform/encryption/sealers.ts";
import { currentTraceparent } from "../../platform/traces.ts";

export interface IncomingMessage {
  shop: ShopDomain;
  source: "shopify" | "service";
  topic: string;
  eventId: string;
  deliveryId: string | null;
  triggeredAt: Date | null;
  body: Buffer;
  /** Keyed digest of the body, where the signature covers the body only. */
  bodyDigest?: Buffer;
}

/**
 * Puts a message on disk, sealed with its shop's key. A message that is there already is a success. Rejects
 * when the database did not take it; the sender must then not be told yes.
 */
export type StoreMessage = (message: IncomingMessage) => Promise<void>;

interface Row {
  message: IncomingMessage;
  sealed: Buffer;
  traceparent: string | null;
  stored: PromiseWithResolvers<void>;
}

/** While one statement waits for the disk, another is under way. */
const MAX_WRITERS = 2;
const MAX_ROWS = 64;
const MAX_BYTES = 1024 * 1024;

/**
 * Messages that arrive while others are being written share the next statement and its commit: a commit costs
 * far more than a row. A message that arrives alone is written at once. Each waits for the commit that holds
 * its own row, so a yes means what it always meant.
 */
export function createMessageStore({
  pool,
  sealers,
}: {
  pool: Pool;
  sealers: Pick<Sealers, "forShop" | "remembered">;
}): StoreMessage {
  const waiting: Row[] = [];
  let writers = 0;

  function writeNext(): void {
    if (waiting.length === 0 || writers >= MAX_WRITERS) return;
    const rows = waiting.splice(0, howManyFit(waiting));
    writers++;
    // Never rejects: whoever waits for a row hears what became of it.
    void writeTogether(pool, rows).finally(() => {
      writers--;
      writeNext();
    });
  }

  return async (message) => {
    const { shop, body } = message;
    const sealer = sealers.remembered(shop) ?? (await sealers.forShop(shop));
    const sealed = sealBody(sealer, message, body);
    const stored = Promise.withResolvers<void>();
    waiting.push({ message, sealed, traceparent: currentTraceparent(), stored });
    writeNext();
    return stored.promise;
  };
}

function howManyFit(rows: Row[]): number {
  let bytes = 0;
  const tooMany = rows.findIndex(({ sealed }, at) => {
    bytes += sealed.length;
    return at > 0 && (at >= MAX_ROWS || bytes > MAX_BYTES);
  });
  return tooMany === -1 ? rows.length : tooMany;
}

/** Settles every row; never rejects. */
async function writeTogether(pool: Pool, rows: Row[]): Promise<void> {
  try {
    await insert(pool, rows);
    for (const { stored } of rows) stored.resolve();
  } catch (error) {
    const [only] = rows;
    if (only && rows.length === 1) only.stored.reject(error);
    // A row that the database refuses must not take the others with it.
    else await Promise.all(rows.map((row) => writeTogether(pool, [row])));
  }
}

/**
 * One statement for any number of rows. Bodies travel as one binary value with their lengths, because an array
 * of them would be sent as text of twice the size.
 */
const INSERT = {
  name: "intake",
  text: `INSERT INTO inbox (shop, source, topic, event_id, delivery_id, triggered_at, body_sealed, body_digest, traceparent)
         SELECT shop, source, topic, event_id, delivery_id, triggered_at,
                substring($7::bytea FROM start_at FOR length), digest, traceparent
         FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[],
                     $8::int[], $9::int[], $10::bytea[], $11::text[])
           AS m(shop, source, topic, event_id, delivery_id, triggered_at, start_at, length, digest, traceparent)
         ON CONFLICT DO NOTHING`,
};

async function insert(pool: Pool, rows: Row[]): Promise<void> {
  const column = <T>(of: (message: IncomingMessage) => T) => rows.map(({ message }) => of(message));
  let startAt = 1;
  const starts = rows.map(({ sealed }) => {
    const here = startAt;
    startAt += sealed.length;
    return here;
  });
  crashPoint("intake.before-insert");
  await pool.query({
    ...INSERT,
    values: [
      column((m) => m.shop),
      column((m) => m.source),
      column((m) => m.topic),
      column((m) => m.eventId),
      column((m) => m.deliveryId),
      column((m) => m.triggeredAt),
      Buffer.concat(rows.map(({ sealed }) => sealed)),
      starts,
      rows.map(({ sealed }) => sealed.length),
      column((m) => m.bodyDigest ?? null),
      rows.map(({ traceparent }) => traceparent),
    ],
  });
  crashPoint("intake.after-insert-before-answer");
}
