import { Prisma } from "../../../generated/prisma/client.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { MAX_LATE_ANSWER_MS } from "../referral-repository.ts";
import type { ComparedEntry, SyncedList } from "../sync-walk.ts";

/** Its result is read moments after a referral, and both are to be told by one look. */
const LONG_AGO_MS = MAX_LATE_ANSWER_MS + 60_000;

type Transacted = Pick<Scope, "tx" | "shop">;

const TABLES = { referrals: Prisma.sql`referrals`, results: Prisma.sql`results` };

/**
 * Returns the entries of a list that are not stored as they are (ServiceSyncRepository). Nearly all are, and
 * referrals come in the order of their creation. Stored entries of the same span of time are therefore read in one
 * piece. Only an entry that this read does not show is looked up by its key, which costs ten times as much.
 */
export async function differing(
  scope: Transacted,
  list: SyncedList,
  { entries, now }: { entries: ComparedEntry[]; now: Date },
): Promise<{ uuid: string; isKnown: boolean }[]> {
  const longAgo = new Date(now.getTime() - LONG_AGO_MS);
  if (list === "results") return differingByKey(scope, list, { entries, longAgo });
  const known = await storedAlong(scope, entries);
  const doubtful = entries.filter(
    ({ uuid, updatedAt, isDeleted }) => isDeleted || known.get(uuid) !== updatedAt,
  );
  return doubtful.length > 0 ? differingByKey(scope, list, { entries: doubtful, longAgo }) : [];
}

/** Times of last change of the referrals that were created in the time of these, by uuid; not always all. */
async function storedAlong(
  { tx, shop }: Transacted,
  entries: ComparedEntry[],
): Promise<Map<string, number>> {
  const times = entries.map(({ createdAt }) => createdAt);
  const from = new Date(Math.min(...times));
  const to = new Date(Math.max(...times));
  // Two texts instead of thousands of rows. One entry out of its time must not bring everything that is stored.
  const [row] = await tx.$queryRaw<{ uuids: string | null; updated: string | null }[]>`
    SELECT string_agg(uuid::text, ',') AS uuids, string_agg(updated_ms::text, ',') AS updated
    FROM (
      SELECT uuid, (date_part('epoch', service_updated_at) * 1000)::bigint AS updated_ms
      FROM referrals
      WHERE shop = ${shop} AND service_created_at BETWEEN ${from} AND ${to} AND deleted_at IS NULL
      LIMIT ${2 * entries.length}
    ) AS stored`;
  const updated = row?.updated?.split(",") ?? [];
  const uuids = row?.uuids?.split(",") ?? [];
  return new Map(uuids.map((uuid, n) => [uuid, Number(updated[n])]));
}

/**
 * Compared there: what is as it was does not come back. Deleting changes neither status nor time (interface §3). A stored time
 * that lay ahead when it was read is only compared for being another (`isNewer`). An earlier time of what was read hours ago is believed as well; a list may write its times
 * less exactly. The limit has each entry looked up by its key: a join would be planned as a scan of all that is known, for every few.
 */
async function differingByKey(
  { tx, shop }: Transacted,
  list: SyncedList,
  { entries, longAgo }: { entries: ComparedEntry[]; longAgo: Date },
): Promise<{ uuid: string; isKnown: boolean }[]> {
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
      SELECT * FROM ${TABLES[list]} AS stored WHERE stored.shop = ${shop} AND stored.uuid = listed.uuid LIMIT 1
    ) AS known ON true
    WHERE known.uuid IS NULL OR listed.is_deleted <> (known.deleted_at IS NOT NULL)
      OR known.service_updated_at < timestamptz 'epoch' + listed.updated_ms * interval '1 millisecond'
      OR (
        known.service_updated_at > known.fetched_at + interval '10 minutes'
        AND known.service_updated_at <> timestamptz 'epoch' + listed.updated_ms * interval '1 millisecond'
      )
      OR (
        known.fetched_at < ${longAgo}
        AND known.service_updated_at >= timestamptz 'epoch' + (listed.updated_ms + 1000) * interval '1 millisecond'
      )`;
}
