import { Prisma } from "../../../generated/prisma/client.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { CHAINED_COLUMNS, type ChainedRow, firstHash, rowHash, sealHash } from "../access-chain.ts";
import type { AccessSealRepository } from "../access-seals.ts";

const MAX_ROWS = 1_000;

interface Head {
  number: number;
  hash: Buffer;
  lastId: string;
  sealedAt: string;
}

export function accessSealRepository({
  tx,
  shop,
}: Pick<Scope, "tx"> & { shop: string }): AccessSealRepository {
  return {
    async sealNext() {
      const [lock] = await tx.$queryRaw<{ isOurs: boolean }[]>`
        SELECT pg_try_advisory_xact_lock(hashtextextended(${`access_log ${shop}`}, 0)) AS "isOurs"`;
      if (!lock?.isOurs) return { head: null, rows: 0, isMoreLeft: false };
      const [head = null] = await tx.$queryRaw<Head[]>`
        SELECT number, hash, last_id::text AS "lastId",
               to_char(sealed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') AS "sealedAt"
        FROM access_log_seals WHERE shop = ${shop} ORDER BY number DESC LIMIT 1`;
      // A row's id is drawn before its commit: rows below the head may have come since. Ten minutes later none can, for
      // a transaction may take 20 s; what turns up there then was put there by somebody else, and is never chained.
      const rows = await tx.$queryRaw<ChainedRow[]>`
        WITH recent AS (
          SELECT row_ids FROM access_log_seals
          WHERE shop = ${shop} AND sealed_at >= now() - interval '10 minutes'
        )
        SELECT ${Prisma.raw(CHAINED_COLUMNS)} FROM access_log
        WHERE shop = ${shop}
          AND id > coalesce((SELECT max(last_id) FROM access_log_seals
                             WHERE shop = ${shop} AND sealed_at < now() - interval '10 minutes'), 0)
          AND NOT EXISTS (SELECT FROM recent WHERE access_log.id = ANY(recent.row_ids))
        ORDER BY access_log.id LIMIT ${MAX_ROWS}`;
      const anchor = (from: Head) => ({
        shop,
        number: from.number,
        hash: Buffer.from(from.hash).toString("hex"),
        sealedAt: from.sealedAt,
      });
      if (rows.length === 0) return { head: head && anchor(head), rows: 0, isMoreLeft: false };
      const next = await append(head, rows);
      return { head: anchor(next), rows: rows.length, isMoreLeft: rows.length === MAX_ROWS };
    },
  };

  async function append(head: Head | null, rows: ChainedRow[]): Promise<Head> {
    const previous = head ? Buffer.from(head.hash) : firstHash(shop);
    let end = previous;
    const hashes = rows.map((row) => (end = rowHash(end, shop, row)));
    const number = (head?.number ?? 0) + 1;
    const rowIds = rows.map(({ id }) => id);
    const isComplete = rows.length < MAX_ROWS;
    const [now] = await tx.$queryRaw<{ sealedAt: string }[]>`
      SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') AS "sealedAt"`;
    const sealedAt = now?.sealedAt ?? "";
    const hash = sealHash({ number, rowIds, isComplete, sealedAt, end });
    const lastId = [head?.lastId ?? "0", ...rowIds].map(BigInt).reduce((a, b) => (a > b ? a : b));
    await tx.$executeRaw`
      INSERT INTO access_log_seals
        (shop, number, row_ids, row_hashes, last_id, is_complete, sealed_at, previous_hash, hash)
      VALUES (${shop}, ${number}, ${rowIds.map(BigInt)}::bigint[], ${Buffer.concat(hashes)},
              ${lastId}, ${isComplete}, ${`${sealedAt}Z`}::timestamptz, ${previous}, ${hash})`;
    return { number, hash, lastId: String(lastId), sealedAt };
  }
}
