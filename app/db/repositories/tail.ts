import { TAILED_LISTS, type TailRepository } from "../../domain/events/tail-walk.ts";
import { FINISHED_STATUSES } from "../../domain/referrals/status.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import { oneOf } from "../one-of.ts";
import type { Scope } from "./scope.ts";

const NO_WALK = { tailList: null, tailCursor: null, tailStartedAt: null, tailFloor: null };

/** Deleting changes neither the status nor the time (interface §3). */
const COMPARED = {
  referrals: {
    table: Prisma.sql`referrals`,
    isNewlyDeleted: Prisma.sql`(listed.is_deleted AND known.deleted_at IS NULL)`,
  },
  results: { table: Prisma.sql`results`, isNewlyDeleted: Prisma.sql`false` },
};

export function tailRepository({ tx, shop }: Scope): TailRepository {
  return {
    async find(environment) {
      const row = await tx.connection.findUnique({
        where: { shop_environment: { shop, environment } },
        select: {
          tailList: true,
          tailCursor: true,
          tailStartedAt: true,
          tailFloor: true,
          tailPages: true,
        },
      });
      if (!row?.tailList || !row.tailStartedAt || !row.tailFloor) return null;
      return {
        list: oneOf(TAILED_LISTS, row.tailList),
        cursor: row.tailCursor,
        startedAt: row.tailStartedAt,
        floor: row.tailFloor,
        pages: row.tailPages,
      };
    },
    async begin(environment, { list, cursor, startedAt, floor, pages }) {
      await tx.connection.updateMany({
        where: { shop, environment },
        data: {
          tailList: list,
          tailCursor: cursor,
          tailStartedAt: startedAt,
          tailFloor: floor,
          tailPages: pages,
        },
      });
    },
    async advance(environment, { startedAt, pages }, { pages: read, next }) {
      const { count } = await tx.connection.updateMany({
        where: { shop, environment, tailStartedAt: startedAt, tailPages: pages },
        data: next
          ? { tailList: next.list, tailCursor: next.cursor, tailPages: pages + read }
          : { ...NO_WALK, tailPages: 0, tailedThrough: startedAt },
      });
      return count > 0;
    },
    async abandon(environment) {
      await tx.connection.updateMany({ where: { shop, environment }, data: NO_WALK });
    },
    async countRepairs(environment, count) {
      await tx.connection.updateMany({
        where: { shop, environment },
        data: { eventsRepaired: { increment: count } },
      });
    },
    // Compared there: nearly all are as they were, and then nothing comes back. The limit has each entry looked up by
    // its key: a join would be planned as a scan of all that is known, for every few pages.
    async differing(list, entries) {
      const { table, isNewlyDeleted } = COMPARED[list];
      // Three texts instead of hundreds of values, each of which would be looked at on its way.
      const uuids = entries.map(({ uuid }) => uuid).join();
      const updated = entries.map(({ updatedAt }) => updatedAt).join();
      const deleted = entries.map(({ isDeleted }) => (isDeleted ? "t" : "f")).join();
      return tx.$queryRaw<{ uuid: string; isKnown: boolean }[]>`
        SELECT listed.uuid, known.uuid IS NOT NULL AS "isKnown"
        FROM unnest(
          string_to_array(${uuids}, ',')::uuid[],
          string_to_array(${updated}, ',')::bigint[],
          string_to_array(${deleted}, ',')::boolean[]
        ) AS listed(uuid, updated_ms, is_deleted)
        LEFT JOIN LATERAL (
          SELECT * FROM ${table} AS stored WHERE stored.shop = ${shop} AND stored.uuid = listed.uuid LIMIT 1
        ) AS known ON true
        WHERE known.uuid IS NULL OR ${isNewlyDeleted}
          OR known.service_updated_at < timestamptz 'epoch' + listed.updated_ms * interval '1 millisecond'`;
    },
    async living(referralUuids) {
      const rows = await tx.$queryRaw<{ uuid: string }[]>`
        SELECT f.uuid FROM referrals f JOIN referral_requests r ON r.shop = f.shop AND r.id = f.request_id
        WHERE f.shop = ${shop} AND f.uuid = ANY(${referralUuids}::uuid[]) AND r.redacted_at IS NULL`;
      return new Set(rows.map((row) => row.uuid));
    },
    async oldestOpen(environment) {
      const [row] = await tx.$queryRaw<{ oldest: Date | null }[]>`
        SELECT min(f.service_created_at) AS oldest
        FROM referrals f JOIN referral_requests r ON r.shop = f.shop AND r.id = f.request_id
        WHERE f.shop = ${shop} AND f.environment = ${environment} AND f.deleted_at IS NULL
          AND r.redacted_at IS NULL
          AND (f.status <> ALL(${[...FINISHED_STATUSES]}) OR EXISTS (
            SELECT FROM results s WHERE s.shop = f.shop AND s.request_id = f.request_id
              AND s.referral_uuid = f.uuid AND (s.partial OR s.in_review)))`;
      return row?.oldest ?? null;
    },
  };
}
