import {
  type KnownEntry,
  TAILED_LISTS,
  type TailRepository,
} from "../../domain/events/tail-walk.ts";
import { FINISHED_STATUSES } from "../../domain/referrals/status.ts";
import { oneOf } from "../one-of.ts";
import type { Scope } from "./scope.ts";

const NO_WALK = { tailList: null, tailCursor: null, tailStartedAt: null, tailFloor: null };

type KnownRow = KnownEntry & { uuid: string };

const known = (rows: KnownRow[]) =>
  new Map(rows.map(({ uuid, updatedAt, isDeleted }) => [uuid, { updatedAt, isDeleted }]));

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
    // By hand: one array, where Prisma would make a parameter of each id and a plan for each number of them.
    async referrals(uuids) {
      return known(
        await tx.$queryRaw<KnownRow[]>`
          SELECT uuid, service_updated_at AS "updatedAt", deleted_at IS NOT NULL AS "isDeleted"
          FROM referrals WHERE shop = ${shop} AND uuid = ANY(${uuids}::uuid[])`,
      );
    },
    async results(uuids) {
      return known(
        await tx.$queryRaw<KnownRow[]>`
          SELECT uuid, service_updated_at AS "updatedAt", false AS "isDeleted"
          FROM results WHERE shop = ${shop} AND uuid = ANY(${uuids}::uuid[])`,
      );
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
