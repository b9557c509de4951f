import { z } from "zod";
import { parseEnum } from "../../../platform/database/parse-enum.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { gid } from "../../kernel/ids.ts";
import { UNIT_OWNERS } from "../../patients/unit-owner.ts";
import type { ResultShare, ShareRepository } from "../share.ts";
import { endedBefore, noteEnded } from "./ended-before.ts";

type ShareRow = NonNullable<Awaited<ReturnType<Scope["tx"]["resultShare"]["findUnique"]>>>;

const secretField = (id: string) => ({ table: "result_shares", column: "secret", row: id });
const visitField = (id: string) => ({ table: "result_shares", column: "visit", row: id });
const secretSchema = z.object({ token: z.string(), passcode: z.string() });

export function shareRepository({
  tx,
  shop,
  sealer,
  keys,
  restoreJournal,
}: Scope): ShareRepository {
  /** A share that ended in a database that is lost has ended in this one. */
  const toShare = async (row: ShareRow): Promise<ResultShare> => ({
    ...inThisDatabase(row),
    revokedAt: row.revokedAt ?? (await endedBefore({ restoreJournal }, row.id, "revoked")),
  });
  const key = (id: string) => ({ shop_id: { shop, id } });
  return {
    async create({ id, resultId: resultUuid, tokenHash, ...share }, secret) {
      const own = await keys.sealer({ request: share.requestId });
      await tx.resultShare.create({
        data: {
          shop,
          id,
          resultUuid,
          ...share,
          tokenHash: new Uint8Array(tokenHash),
          secretSealed: own.sealJson(secretField(id), secret),
        },
      });
    },
    async find(id) {
      const row = await tx.resultShare.findUnique({ where: key(id) });
      return row && toShare(row);
    },
    async findByTokenForUpdate(tokenHash) {
      const [locked] = await tx.$queryRaw<{ id: string }[]>`
        SELECT id FROM result_shares WHERE shop = ${shop} AND token_hash = ${tokenHash} FOR UPDATE`;
      const row = locked && (await tx.resultShare.findUnique({ where: key(locked.id) }));
      return row ? toShare(row) : null;
    },
    async forRequests(requestIds) {
      const rows = await tx.resultShare.findMany({
        where: { shop, requestId: { in: [...requestIds] }, revokedAt: null },
        orderBy: [{ createdAt: "desc" }, { id: "asc" }],
      });
      const shares = await Promise.all(rows.map(toShare));
      return shares.filter(({ revokedAt }) => revokedAt === null);
    },
    async secretOf(id) {
      const row = await tx.resultShare.findUnique({ where: key(id) });
      if (!row) return null;
      const opener = await keys.opener({ request: row.requestId });
      return secretSchema.parse(opener.openJson(secretField(id), row.secretSealed));
    },
    async countFailure(id, at) {
      await tx.resultShare.update({
        where: key(id),
        data: { failedTries: { increment: 1 }, lastFailedAt: at },
      });
    },
    async revoke(id, at) {
      await tx.resultShare.updateMany({
        where: { shop, id, revokedAt: null },
        data: { revokedAt: at },
      });
      noteEnded({ restoreJournal }, { ids: [id], end: "revoked", at });
    },
    visitProof: (id, expiresAt) => sealer.fingerprint(visitField(id), String(expiresAt)),
  };
}

function inThisDatabase({ resultUuid, owner, customerId, ...row }: ShareRow): ResultShare {
  return {
    id: row.id,
    requestId: row.requestId,
    resultId: resultUuid,
    owner: parseEnum(UNIT_OWNERS, owner),
    customerId: customerId === null ? null : gid("Customer", customerId),
    releasedAt: row.releasedAt,
    expiresAt: row.expiresAt,
    revokedAt: row.revokedAt,
    failedTries: row.failedTries,
    lastFailedAt: row.lastFailedAt,
    createdAt: row.createdAt,
  };
}
