import type { Pool } from "pg";
import type { ShopDomain } from "../../modules/kernel/ids.ts";
import { sealBody } from "../../modules/kernel/postgres/inbox.ts";
import { AHEAD_MS, OLDEST_MS } from "../../modules/orders/message-refusal.ts";
import type { Clock } from "../../platform/clock.ts";
import { crashPoint } from "../../platform/crash-points.ts";
import { SWITCHED_AT } from "../../platform/encryption/data-keys.ts";
import type { ShopSealer } from "../../platform/encryption/sealer.ts";
import type { Sealers } from "../../platform/encryption/sealers.ts";
import { DatabaseSwitched } from "../../platform/errors.ts";
import { currentTraceparent } from "../../platform/traces.ts";
import { INTAKE_LIMITS } from "../limits.ts";

export interface NewInboxMessage {
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
export type InboxWriter = (message: NewInboxMessage) => Promise<void>;

interface Place {
  pool: Pool;
  clock?: Pick<Clock, "machineNow">;
}

interface Row {
  message: NewInboxMessage;
  sealed: Buffer;
  /** Of the keys that sealed it (`ShopSealer`). */
  switchedAt: string | null;
  traceparent: string | null;
  /** Nobody waits for it after then, by the process's own time. */
  keptUntil: number;
  outcome: PromiseWithResolvers<Outcome>;
}

/** `former_keys`: the row is not stored, because the database took another's place since its keys were read, and may lack them. */
type Outcome = "stored" | "former_keys";

/** While one statement waits for the disk, another is under way. */
const MAX_WRITERS = 2;
const MAX_ROWS = 64;
const MAX_BYTES = 1024 * 1024;
/** The first finds that the keys are those of the former database, the second that a look-up was under way meanwhile. */
const MAX_TRIES = 3;

/**
 * Messages that arrive while others are being written share the next statement and its commit: a commit costs
 * far more than a row. A message that arrives alone is written at once. Each waits for the commit that holds
 * its own row, so a yes means what it always meant. Where the database has taken another's place since the keys were
 * read, the message is sealed again with keys of this one (docs/decisions/0100). Each connection of `pool` has to lead to
 * a database that is noted (`requireNoted`). A message that has not gone out after twice `storeMs` is given up: its sender
 * has been told no, and a database that stands still would fill the memory.
 */
export function createInboxWriter({
  pool,
  clock,
  sealers,
  storeMs = INTAKE_LIMITS.storeMs,
}: Place & {
  sealers: Pick<Sealers, "forShop" | "remembered" | "forgetFormer">;
  storeMs?: number | undefined;
}): InboxWriter {
  const waiting: Row[] = [];
  let writers = 0;

  function writeNext(): void {
    // They came in the order in which they end.
    const firstKept = waiting.findIndex(isWaitedFor);
    for (const row of waiting.splice(0, firstKept === -1 ? waiting.length : firstKept)) giveUp(row);
    if (waiting.length === 0 || writers >= MAX_WRITERS) return;
    const rows = waiting.splice(0, howManyFit(waiting));
    writers++;
    // Never rejects: whoever waits for a row hears what became of it.
    void writeTogether({ pool, clock }, rows).finally(() => {
      writers--;
      writeNext();
    });
  }

  function write(message: NewInboxMessage, sealer: ShopSealer): Promise<Outcome> {
    const sealed = sealBody(sealer, message, message.body);
    const outcome = Promise.withResolvers<Outcome>();
    const { switchedAt } = sealer;
    const keptUntil = performance.now() + 2 * storeMs;
    const traceparent = currentTraceparent();
    waiting.push({ message, sealed, switchedAt, traceparent, keptUntil, outcome });
    writeNext();
    return outcome.promise;
  }

  return async (message) => {
    const { shop } = message;
    for (let tries = 1; ; tries++) {
      const sealer = sealers.remembered(shop) ?? (await sealers.forShop(shop));
      if ((await write(message, sealer)) === "stored") return;
      if (tries === MAX_TRIES) throw new DatabaseSwitched();
      sealers.forgetFormer(shop, sealer);
    }
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
async function writeTogether(place: Place, rows: Row[]): Promise<void> {
  try {
    const outcomes = await insert(place, rows);
    for (const [at, row] of rows.entries()) row.outcome.resolve(outcomes[at] ?? "former_keys");
  } catch (error) {
    const [only] = rows;
    if (only && rows.length === 1) only.outcome.reject(error);
    // A row that the database refuses must not take the others with it.
    else
      await Promise.all(
        rows.map((row) => (isWaitedFor(row) ? writeTogether(place, [row]) : giveUp(row))),
      );
  }
}

const isWaitedFor = ({ keptUntil }: Row) => performance.now() <= keptUntil;

const giveUp = ({ outcome }: Row) =>
  outcome.reject(new Error("nobody waits for this message any more"));

const isLikely = (now: string) =>
  `triggered_at BETWEEN ${now} - interval '${OLDEST_MS} ms' AND ${now} + interval '${AHEAD_MS} ms'`;

/**
 * When a message was sent, in the database's time. Where that can't be so and this machine's clock agrees with the sender, the
 * database's clock is wrong: what was sent is as old here as it is there (docs/decisions/0173).
 */
const TRIGGERED_AT = `CASE WHEN ${isLikely("now()")} OR (${isLikely("$13::timestamptz")}) IS NOT TRUE THEN triggered_at
            ELSE triggered_at + (now() - $13::timestamptz) END`;

const STORE = (keysAreOf: string) =>
  `INSERT INTO inbox (shop, source, topic, event_id, delivery_id, triggered_at, body_sealed, body_digest, traceparent)
   SELECT shop, source, topic, event_id, delivery_id, ${TRIGGERED_AT},
          substring($7::bytea FROM start_at FOR length), digest, traceparent
   FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[],
               $8::int[], $9::int[], $10::bytea[], $11::text[], $12::text[])
     AS m(shop, source, topic, event_id, delivery_id, triggered_at, start_at, length, digest, traceparent, switched_at)
   WHERE ${keysAreOf} IS NOT DISTINCT FROM m.switched_at
   ON CONFLICT DO NOTHING`;

/**
 * One statement for any number of rows. Bodies travel as one binary value with their lengths, because an array
 * of them would be sent as text of twice the size. It stores only what was sealed with keys that were read since its
 * database took another's place.
 */
const INSERT = { name: "intake", text: STORE(SWITCHED_AT) };

/** The same, and says when that was: a statement of its own might come to another server. */
const INSERT_AND_TELL = {
  name: "intake-and-tell",
  text: `WITH place AS MATERIALIZED (SELECT ${SWITCHED_AT} AS "switchedAt"),
              stored AS (${STORE('(SELECT "switchedAt" FROM place)')})
         SELECT "switchedAt" FROM place`,
};

async function insert({ pool, clock }: Place, rows: Row[]): Promise<Outcome[]> {
  const values = [...valuesOf(rows), clock?.machineNow?.() ?? null];
  crashPoint("intake.before-insert");
  const { rowCount } = await pool.query({ ...INSERT, values });
  crashPoint("intake.after-insert-before-answer");
  if (rowCount === rows.length) return rows.map(() => "stored");
  // Some were there already, or their keys are those of a former database. Which of the two costs twice as much to ask.
  const answer = await pool.query<{ switchedAt: string | null }>({ ...INSERT_AND_TELL, values });
  const [place] = answer.rows;
  return rows.map(({ switchedAt }) =>
    switchedAt === place?.switchedAt ? "stored" : "former_keys",
  );
}

function valuesOf(rows: Row[]): unknown[] {
  const column = <T>(of: (message: NewInboxMessage) => T) => rows.map(({ message }) => of(message));
  let startAt = 1;
  const starts = rows.map(({ sealed }) => {
    const here = startAt;
    startAt += sealed.length;
    return here;
  });
  return [
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
    rows.map(({ switchedAt }) => switchedAt),
  ];
}
