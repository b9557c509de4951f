import { Prisma } from "../../../generated/prisma/client.ts";
import { parseEnum } from "../../../platform/database/parse-enum.ts";
import { rowsOf } from "../../../platform/database/rows-of.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { unanswered } from "../../../platform/database/unanswered.ts";
import { unlessErased } from "../../../platform/encryption/unless-erased.ts";
import type { ShopDomain } from "../../kernel/ids.ts";
import { ENVIRONMENTS } from "../../shops/connection.ts";
import { statesOtherForm } from "../form-facts.ts";
import {
  datesOf,
  isNewer,
  livesAgain,
  type ReferralRepository,
  type StoredReferral,
} from "../referral-repository.ts";
import { formerSnapshot } from "./former-snapshot.ts";
import { isRedacted } from "./is-redacted.ts";
import { personIn } from "./person-in.ts";
import { testsIn } from "./tests-in.ts";

type ReferralRow = NonNullable<Awaited<ReturnType<Scope["tx"]["referral"]["findUnique"]>>>;

const readReferrals = rowsOf<ReferralRow>(
  "referrals",
  Object.values(Prisma.ReferralScalarFieldEnum),
);

const snapshotField = (uuid: string) => ({ table: "referrals", column: "snapshot", row: uuid });

export function referralRepository({ tx, shop, keys, tolerate }: Scope): ReferralRepository {
  const readRow = async (uuid: string) =>
    (await readReferrals(tx, Prisma.sql`shop = ${shop} AND uuid = ${uuid}::uuid`))[0] ?? null;
  /** Returns its last reading. Nothing is left of it once the patient's data was destroyed. */
  const lastReading = async (uuid: string): Promise<unknown> => {
    const row = await readRow(uuid);
    if (!row || row.snapshotSealed.length === 0) return null;
    const { requestId } = row;
    if (await isRedacted({ tx, shop }, requestId)) return null;
    return formerSnapshot({ tolerate, keys }, "referral", requestId, (opener) =>
      unlessErased(() => opener.openJson(snapshotField(uuid), row.snapshotSealed)),
    );
  };
  return {
    async save(environment, requestId, snapshot, at, { known, otherPerson } = {}) {
      const { uuid, status, reference, origin, medicare, resultsUuid } = snapshot;
      const redacted = await isRedacted({ tx, shop }, requestId);
      const before = known === undefined ? await readRow(uuid) : known;
      if (before && before.requestId !== requestId) return { outcome: "anothers" };
      // Two refetches may overlap: the later truth stays.
      if (before && isNewer(before, { updatedAt: snapshot.updatedAt, askedAt: at }))
        return { outcome: "stale" };
      const { createdAt: serviceCreatedAt, updatedAt: serviceUpdatedAt } = datesOf(
        snapshot,
        before,
        at,
      );
      const isOver =
        isFormOver({ status, serviceUpdatedAt }, before) ||
        // The form that is stored names somebody else, also where the laboratory has reported since.
        (before?.otherPerson === true && otherPerson === false) ||
        (status === "ISSUED" &&
          before !== null &&
          statesOtherForm(await lastReading(uuid), snapshot.whole ?? snapshot));
      // The signed address of the PDF is for now and not for later.
      const kept = { ...(snapshot.whole ?? snapshot), referralAttachment: null };
      const isBack = livesAgain(before, { deletedAt: snapshot.deletedAt, askedAt: at });
      const former = isBack ? null : (before?.deletedAt ?? null);
      const sealer = redacted ? null : await keys.sealer({ request: requestId });
      const data = {
        environment,
        requestId,
        medicare,
        status,
        reference,
        origin,
        resultUuid: resultsUuid,
        snapshotSealed: sealer?.sealJson(snapshotField(uuid), kept) ?? Buffer.alloc(0),
        serviceCreatedAt,
        serviceUpdatedAt,
        deletedAt: snapshot.deletedAt ? new Date(snapshot.deletedAt) : former,
        routingMessage: snapshot.routingMessage ?? before?.routingMessage ?? null,
        otherPerson: otherPerson ?? before?.otherPerson ?? null,
        fetchedAt: at,
      };
      await unanswered(
        tx,
        Prisma.sql`
        INSERT INTO referrals (shop, uuid, environment, request_id, medicare, status, reference, origin, result_uuid,
                               snapshot_sealed, service_created_at, service_updated_at, deleted_at, routing_message, other_person, fetched_at)
        VALUES (${shop}, ${uuid}::uuid, ${environment}, ${requestId}::uuid, ${medicare}, ${status}, ${reference}, ${origin},
                ${resultsUuid}::uuid, ${data.snapshotSealed}, ${data.serviceCreatedAt}, ${serviceUpdatedAt}, ${data.deletedAt},
                ${data.routingMessage}, ${data.otherPerson}, ${at})
        ON CONFLICT (shop, uuid) DO UPDATE SET
          environment = EXCLUDED.environment, request_id = EXCLUDED.request_id, medicare = EXCLUDED.medicare,
          status = EXCLUDED.status, reference = EXCLUDED.reference, origin = EXCLUDED.origin,
          result_uuid = EXCLUDED.result_uuid, snapshot_sealed = EXCLUDED.snapshot_sealed,
          service_created_at = EXCLUDED.service_created_at, service_updated_at = EXCLUDED.service_updated_at,
          deleted_at = EXCLUDED.deleted_at, routing_message = EXCLUDED.routing_message, other_person = EXCLUDED.other_person,
          fetched_at = EXCLUDED.fetched_at`,
      );
      if (isOver) {
        await unanswered(
          tx,
          Prisma.sql`
          UPDATE documents SET replaced_at = ${at}
          WHERE shop = ${shop} AND kind = 'referral' AND source_uuid = ${uuid}::uuid AND replaced_at IS NULL`,
        );
      }
      return { outcome: "stored", previousStatus: before?.status };
    },
    async find(uuid) {
      const row = await readRow(uuid);
      return row && toReferral(row);
    },
    personOf: async (uuid) => personIn(await lastReading(uuid)),
    testsOf: async (uuid) => testsIn(await lastReading(uuid)),
    async confirmPerson(requestId) {
      const rows = await tx.referral.updateManyAndReturn({
        where: { shop, requestId, otherPerson: true, deletedAt: null, replacedBy: null },
        data: { otherPerson: false },
        select: { uuid: true },
      });
      return rows.map(({ uuid }) => uuid);
    },
    async forRequests(requestIds) {
      const rows = await readReferrals(
        tx,
        Prisma.sql`shop = ${shop} AND request_id = ANY(${requestIds}::uuid[])
          ORDER BY service_created_at, uuid`,
      );
      return rows.map(toReferral);
    },
    async newestCreation(environment) {
      const [newest] = await tx.$queryRaw<{ at: Date | null }[]>`
        SELECT max(service_created_at) AS at FROM referrals
        WHERE shop = ${shop} AND environment = ${environment}`;
      return newest?.at ?? null;
    },
    async markGone(uuid, at) {
      await tx.referral.updateMany({
        where: { shop, uuid, deletedAt: null },
        data: { deletedAt: at },
      });
    },
    async markReplaced(uuids, by) {
      await tx.referral.updateMany({
        where: { shop, uuid: { in: uuids }, replacedBy: null },
        data: { replacedBy: by },
      });
    },
    async markCorrected(uuid, correction) {
      await tx.referral.updateMany({
        where: { shop, uuid, correction: { lt: correction } },
        data: { correction },
      });
    },
    async withoutTheirResult(limit) {
      const rows = await tx.$queryRaw<{ environment: string; uuid: string }[]>`
        SELECT f.environment, f.uuid
        FROM referrals f JOIN referral_requests r ON r.shop = f.shop AND r.id = f.request_id
        WHERE f.shop = ${shop} AND f.result_uuid IS NOT NULL AND f.deleted_at IS NULL
          AND f.service_updated_at > now() - interval '30 days' AND r.redacted_at IS NULL
          AND NOT EXISTS (SELECT FROM results s WHERE s.shop = f.shop AND s.uuid = f.result_uuid)
        ORDER BY f.fetched_at LIMIT ${limit}`;
      return rows.map(({ environment, uuid }) => ({
        environment: parseEnum(ENVIRONMENTS, environment),
        uuid,
      }));
    },
    async announcing(resultUuid) {
      const [row] = await readReferrals(
        tx,
        Prisma.sql`shop = ${shop} AND result_uuid = ${resultUuid}::uuid AND deleted_at IS NULL LIMIT 1`,
      );
      return row ? toReferral(row) : null;
    },
    async billingFailed({ after, limit }) {
      const behind = after
        ? Prisma.sql`AND (r.created_at, r.id) > (
            SELECT created_at, id FROM referral_requests WHERE shop = ${shop} AND id = ${after}::uuid)`
        : Prisma.empty;
      const rows = await tx.$queryRaw<{ id: string }[]>`
        SELECT r.id FROM referral_requests r WHERE ${unpaid(shop)} ${behind}
        ORDER BY r.created_at, r.id LIMIT ${limit}`;
      return rows.map((row) => row.id);
    },
    async isBillingFailed(requestId) {
      const rows = await tx.$queryRaw<{ id: string }[]>`
        SELECT r.id FROM referral_requests r WHERE ${unpaid(shop)} AND r.id = ${requestId}::uuid LIMIT 1`;
      return rows.length > 0;
    },
    async countBillingFailed() {
      const rows = await tx.$queryRaw<{ count: number }[]>`
        SELECT count(*)::int AS count FROM referral_requests r WHERE ${unpaid(shop)}`;
      return rows[0]?.count ?? 0;
    },
  };
}

/**
 * Whether the form that is stored must not be used any more: a new one is being made, or was made and only that was
 * seen (interface §2.1: updatedAt changes with every status and every PATCH).
 */
function isFormOver(
  { status, serviceUpdatedAt }: Pick<ReferralRow, "status" | "serviceUpdatedAt">,
  before: Pick<ReferralRow, "serviceUpdatedAt"> | null,
): boolean {
  if (status === "SCHEDULED_REISSUE") return true;
  return status === "ISSUED" && before !== null && before.serviceUpdatedAt < serviceUpdatedAt;
}

/** Requests `r` that wait for the organisation's billing method to be fixed. One that somebody has dealt with may have been ordered by hand. */
const unpaid = (shop: ShopDomain) => Prisma.sql`
  r.shop = ${shop} AND r.state = 'created' AND r.replaced_by IS NULL AND r.cancellation_status IS NULL AND r.redacted_at IS NULL
  AND (r.handled_code, r.handled_detail) IS DISTINCT FROM ('referral', 'BILLING_FAILED')
  AND r.id IN (
    SELECT request_id FROM referrals
    WHERE shop = ${shop} AND status = 'BILLING_FAILED' AND deleted_at IS NULL AND replaced_by IS NULL)`;

function toReferral(row: ReferralRow): StoredReferral {
  const { uuid, requestId, medicare, status, reference, origin, resultUuid } = row;
  const { serviceCreatedAt, serviceUpdatedAt, deletedAt, fetchedAt } = row;
  const { replacedBy, correction, routingMessage, otherPerson } = row;
  const environment = parseEnum(ENVIRONMENTS, row.environment);
  return {
    uuid,
    environment,
    requestId,
    medicare,
    status,
    reference,
    origin,
    resultUuid,
    serviceCreatedAt,
    serviceUpdatedAt,
    deletedAt,
    fetchedAt,
    replacedBy,
    correction,
    routingMessage,
    otherPerson,
  };
}
