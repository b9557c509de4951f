import { Prisma } from "../../../generated/prisma/client.ts";
import { parseEnum } from "../../../platform/database/parse-enum.ts";
import { assignments, rowsOf } from "../../../platform/database/rows-of.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import type { Environment } from "../../shops/connection.ts";
import { FINISHED_STATUSES } from "../status.ts";
import { type ServiceSyncRepository, SYNCED_LISTS } from "../sync-walk.ts";
import { differing } from "./sync-compare.ts";

const NO_WALK = { syncList: null, syncCursor: null, syncStartedAt: null, syncLowerBound: null };

/** The words of the index `referrals_open`, which the planner has to recognise. */
const IS_OPEN = Prisma.raw(
  `f.status NOT IN (${FINISHED_STATUSES.map((status) => `'${status}'`).join(", ")}) AND f.deleted_at IS NULL`,
);

const readWalks = rowsOf<{
  syncList: string | null;
  syncCursor: string | null;
  syncStartedAt: Date | null;
  syncLowerBound: Date | null;
  syncPages: number;
}>("connections", ["syncList", "syncCursor", "syncStartedAt", "syncLowerBound", "syncPages"]);

export function serviceSyncRepository(scope: Scope): ServiceSyncRepository {
  const { tx, shop } = scope;
  const change = (environment: Environment, values: Prisma.Sql, also = Prisma.sql`true`) =>
    tx.$executeRaw`
      UPDATE connections SET ${values}, updated_at = statement_timestamp()
      WHERE shop = ${shop} AND environment = ${environment} AND ${also}`;
  return {
    async find(environment) {
      const [row] = await readWalks(
        tx,
        Prisma.sql`shop = ${shop} AND environment = ${environment} LIMIT 1`,
      );
      if (!row?.syncList || !row.syncStartedAt || !row.syncLowerBound) return null;
      return {
        list: parseEnum(SYNCED_LISTS, row.syncList),
        cursor: row.syncCursor,
        startedAt: row.syncStartedAt,
        lowerBound: row.syncLowerBound,
        pages: row.syncPages,
      };
    },
    async begin(environment, { list, cursor, startedAt, lowerBound, pages }) {
      const walk = { syncList: list, syncCursor: cursor, syncStartedAt: startedAt };
      await change(
        environment,
        assignments({ ...walk, syncLowerBound: lowerBound, syncPages: pages }),
      );
    },
    async advance(environment, { startedAt, pages }, { pages: read, next }) {
      const values = next
        ? { syncList: next.list, syncCursor: next.cursor, syncPages: pages + read }
        : { ...NO_WALK, syncPages: 0, syncedThrough: startedAt };
      const isCurrent = Prisma.sql`sync_started_at = ${startedAt} AND sync_pages = ${pages}`;
      return (await change(environment, assignments(values), isCurrent)) > 0;
    },
    async abandon(environment) {
      await change(environment, assignments(NO_WALK));
    },
    async countRepairs(environment, count) {
      await change(environment, Prisma.sql`events_repaired = events_repaired + ${count}`);
    },
    differing: (list, entries, now) => differing(scope, list, { entries, now }),
    async living(referralUuids) {
      const rows = await tx.$queryRaw<{ uuid: string }[]>`
        SELECT f.uuid FROM referrals f JOIN referral_requests r ON r.shop = f.shop AND r.id = f.request_id
        WHERE f.shop = ${shop} AND f.uuid = ANY(${referralUuids}::uuid[]) AND r.redacted_at IS NULL`;
      return new Set(rows.map((row) => row.uuid));
    },
    // The oldest of each kind by itself: both together would read every referral that there is.
    async oldestOpen(environment) {
      const [row] = await tx.$queryRaw<{ oldest: Date | null }[]>`
        SELECT least(
          (
            SELECT f.service_created_at
            FROM referrals f JOIN referral_requests r ON r.shop = f.shop AND r.id = f.request_id
            WHERE f.shop = ${shop} AND f.environment = ${environment} AND ${IS_OPEN}
              AND r.redacted_at IS NULL
            ORDER BY f.service_created_at LIMIT 1
          ),
          (
            SELECT min(f.service_created_at)
            FROM results s
              JOIN referrals f ON f.shop = s.shop AND f.uuid = s.referral_uuid AND f.request_id = s.request_id
              JOIN referral_requests r ON r.shop = f.shop AND r.id = f.request_id
            WHERE s.shop = ${shop} AND f.environment = ${environment} AND (s.partial OR s.in_review)
              AND s.deleted_at IS NULL
              AND f.deleted_at IS NULL AND r.redacted_at IS NULL
          )
        ) AS oldest`;
      return row?.oldest ?? null;
    },
    async openReadBefore(environment, before, { isToldToo, limit }) {
      const isToTell = isToldToo
        ? Prisma.empty
        : Prisma.sql`AND r.review_code IS DISTINCT FROM 'unreadable_at_service'`;
      const isAsked = Prisma.sql`f.shop = ${shop} AND f.environment = ${environment}
        AND f.fetched_at < ${before} AND f.deleted_at IS NULL AND r.redacted_at IS NULL ${isToTell}`;
      const rows = await tx.$queryRaw<{ uuid: string }[]>`
        SELECT uuid FROM (
          SELECT f.uuid, f.service_created_at
          FROM referrals f JOIN referral_requests r ON r.shop = f.shop AND r.id = f.request_id
          WHERE ${isAsked} AND ${IS_OPEN}
          UNION
          SELECT f.uuid, f.service_created_at
          FROM results s
            JOIN referrals f ON f.shop = s.shop AND f.uuid = s.referral_uuid AND f.request_id = s.request_id
            JOIN referral_requests r ON r.shop = f.shop AND r.id = f.request_id
          WHERE s.shop = ${shop} AND (s.partial OR s.in_review) AND s.deleted_at IS NULL AND ${isAsked}
        ) open ORDER BY service_created_at LIMIT ${limit}`;
      return rows.map((row) => row.uuid);
    },
  };
}
