import { Prisma } from "../../../generated/prisma/client.ts";
import { parseEnum } from "../../../platform/database/parse-enum.ts";
import { rowsOf } from "../../../platform/database/rows-of.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { unanswered } from "../../../platform/database/unanswered.ts";
import { ENVIRONMENTS } from "../../shops/connection.ts";
import type { RestoreRepository } from "../restore-repository.ts";

const readIdentities = rowsOf<{ switchedAt: Date | null; servedUntil: Date | null }>(
  "database_identity",
  ["switchedAt", "servedUntil"],
);
const readUnclaimed = rowsOf<{
  uuid: string;
  environment: string;
  referenceNumber: string;
  deleted: boolean;
}>("unclaimed_referrals", ["uuid", "environment", "referenceNumber", "deleted"]);

export function restoreRepository({ tx, shop }: Scope): RestoreRepository {
  return {
    async pause(environment) {
      const row = await tx.connection.findUnique({
        where: { shop_environment: { shop, environment } },
        select: { pausedAt: true, restorePoint: true },
      });
      return row?.pausedAt
        ? { since: row.pausedAt, knownUntil: row.restorePoint ?? new Date(0) }
        : null;
    },
    async pauseOfOlder(requestId) {
      const [row] = await tx.$queryRaw<{ since: Date }[]>`
        SELECT c.paused_at AS since FROM referral_requests r
        JOIN connections c ON c.shop = r.shop AND c.environment = r.environment
        WHERE r.shop = ${shop} AND r.id = ${requestId}::uuid AND r.order_paid_at < c.paused_at`;
      return row?.since ?? null;
    },
    async lastSwitch() {
      const [row] = await readIdentities(tx, Prisma.sql`true`);
      if (!row?.switchedAt) return null;
      // A switch that an earlier version noticed is long over.
      return { at: row.switchedAt, servedUntil: row.servedUntil ?? row.switchedAt };
    },
    async holds(environment, referenceNumber) {
      const [row] = await tx.$queryRaw<{ isSendingPaused: boolean; uuids: string[] }[]>`
        SELECT EXISTS (SELECT FROM connections WHERE shop = ${shop} AND environment = ${environment}
                       AND paused_at IS NOT NULL) AS "isSendingPaused",
               ARRAY(SELECT uuid::text FROM unclaimed_referrals WHERE shop = ${shop}
                     AND environment = ${environment} AND reference_number = ${referenceNumber}) AS uuids`;
      return row ?? { isSendingPaused: false, uuids: [] };
    },
    async resume(environment, pausedUpTo) {
      const { count } = await tx.connection.updateMany({
        where: { shop, environment, pausedAt: { lte: pausedUpTo } },
        data: { pausedAt: null, restorePoint: null },
      });
      return count > 0;
    },
    async recordUnclaimed(environment, referrals) {
      if (referrals.length === 0) return;
      const seenAt = new Date();
      await tx.unclaimedReferral.createMany({
        data: referrals.map(({ uuid, referenceNumber, isDeleted: deleted = false }) => ({
          ...{ shop, environment, uuid, referenceNumber, seenAt, deleted },
        })),
        skipDuplicates: true,
      });
      const gone = referrals.flatMap(({ uuid, isDeleted }) => (isDeleted ? uuid : []));
      if (gone.length > 0)
        await tx.unclaimedReferral.updateMany({
          where: { shop, environment, uuid: { in: gone } },
          data: { deleted: true },
        });
    },
    async unclaimed(referenceNumbers) {
      const rows = await readUnclaimed(
        tx,
        Prisma.sql`shop = ${shop} AND reference_number = ANY(${referenceNumbers}::text[])`,
      );
      return rows.map(({ environment, deleted: isDeleted, ...row }) => ({
        ...row,
        isDeleted,
        environment: parseEnum(ENVIRONMENTS, environment),
      }));
    },
    async referenceNumberOf(environment, uuid) {
      const row = await tx.unclaimedReferral.findUnique({
        where: { shop_environment_uuid: { shop, environment, uuid } },
        select: { referenceNumber: true },
      });
      return row?.referenceNumber ?? null;
    },
    async forget(environment, uuid) {
      await unanswered(
        tx,
        Prisma.sql`
        DELETE FROM unclaimed_referrals
        WHERE shop = ${shop} AND environment = ${environment} AND uuid = ${uuid}::uuid`,
      );
    },
  };
}
