import { Prisma } from "../../../generated/prisma/client.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import type { CleanUpRepository } from "../ended-rows.ts";

/** Rows for each statement, so that none takes long. */
const BATCH = 1_000;
/** The oldest messages that one turn looks at, of those that are not kept for ever. */
const LOOKED_AT = 5_000;

/**
 * The rows that nobody needs past a horizon, by table. A session, ticket or code that has ended opens nothing. A link stays
 * for 90 days, so that its page can say why it ended. A share, whose passcode its owner can read, goes after as long.
 */
const ENDED: readonly { table: string; isOver: string }[] = [
  { table: "patient_sessions", isOver: "expires_at < $now - interval '1 day'" },
  { table: "details_drafts", isOver: "expires_at < $now" },
  { table: "document_tickets", isOver: "expires_at < $now - interval '1 day'" },
  { table: "export_tickets", isOver: "expires_at < $now - interval '1 day'" },
  { table: "step_up_codes", isOver: "expires_at < $now - interval '30 days'" },
  { table: "patient_links", isOver: "expires_at < $now - interval '90 days'" },
  {
    table: "result_shares",
    isOver: "least(expires_at, revoked_at) < $now - interval '90 days'",
  },
  { table: "leases", isOver: "expires_at < $now - interval '1 day'" },
  { table: "simulations", isOver: "finished_at < $now - interval '90 days'" },
  { table: "alert_mails", isOver: "coalesce(sent_at, noted_at) < $now - interval '90 days'" },
  { table: "mapping_changes", isOver: "at < $now - interval '90 days'" },
  { table: "order_imports", isOver: "finished_at < $now - interval '90 days'" },
];

export function cleanUpRepository({ tx, shop }: Scope): CleanUpRepository {
  return {
    async ended(now) {
      let deleted = 0;
      for (const { table, isOver } of ENDED)
        deleted += await tx.$executeRawUnsafe(
          `DELETE FROM ${table} WHERE shop = $1 AND ctid IN (
             SELECT ctid FROM ${table} WHERE shop = $1 AND ${isOver.replace("$now", "$2::timestamptz")} LIMIT ${BATCH})`,
          shop,
          now,
        );
      return deleted;
    },
    async messages(before) {
      // Whether the shop ever installed the app and was not erased since. For another, nothing waits and nothing can be destroyed.
      const known = await tx.shop.count({ where: { shop } });
      const isKnown = Prisma.sql`${known > 0}::boolean`;
      return tx.$executeRaw`
        DELETE FROM inbox WHERE shop = ${shop} AND id IN (
          SELECT id FROM (
            SELECT id, state, received_at FROM inbox
            WHERE shop = ${shop} AND NOT (state = 'done' AND topic IN (${Prisma.join(KEPT_TOPICS)}) AND ${isKnown})
            ORDER BY id LIMIT ${LOOKED_AT}
          ) AS oldest
          WHERE (state IN ('done', 'refused', 'unreadable') OR state = 'parked' AND NOT ${isKnown})
            AND received_at < ${before}
          LIMIT ${BATCH})`;
    },
    async batches(before) {
      const old = Prisma.sql`
        SELECT id FROM batches WHERE shop = ${shop} AND finished_at < ${before} ORDER BY created_at LIMIT 20`;
      const items = await tx.$executeRaw`
        DELETE FROM batch_items WHERE shop = ${shop} AND ctid IN (
          SELECT ctid FROM batch_items WHERE shop = ${shop} AND batch_id IN (${old}) LIMIT ${BATCH})`;
      const empty = await tx.$executeRaw`
        DELETE FROM batches b WHERE b.shop = ${shop} AND b.id IN (${old})
          AND NOT EXISTS (SELECT FROM batch_items i WHERE i.shop = b.shop AND i.batch_id = b.id)`;
      return items + empty;
    },
  };
}

/**
 * What ended or destroyed something is known again for ever: the digest of its body tells a replay under another topic. What
 * was refused did nothing, and is compared with nothing.
 */
const KEPT_TOPICS = [
  "app/uninstalled",
  "customers/redact",
  "shop/redact",
  "customers/data_request",
  "customers/merge",
];
