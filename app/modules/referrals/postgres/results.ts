import { z } from "zod";
import { Prisma } from "../../../generated/prisma/client.ts";
import { parseEnum } from "../../../platform/database/parse-enum.ts";
import { rowsOf } from "../../../platform/database/rows-of.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { unanswered } from "../../../platform/database/unanswered.ts";
import type { Opener } from "../../../platform/encryption/subject-keys.ts";
import { unlessErased } from "../../../platform/encryption/unless-erased.ts";
import { asSaid, keepSaid } from "../../../platform/keep-said.ts";
import { dateOfResult } from "../../../platform/written-time.ts";
import { ENVIRONMENTS } from "../../shops/connection.ts";
import {
  datesOf,
  isNewer,
  type ReleaseRecord,
  type ResultRepository,
  type StoredResult,
} from "../referral-repository.ts";
import type { KeptResult } from "../snapshots.ts";
import { formerSnapshot } from "./former-snapshot.ts";
import { isRedacted } from "./is-redacted.ts";
import { personIn } from "./person-in.ts";

type ResultRow = NonNullable<Awaited<ReturnType<Scope["tx"]["result"]["findUnique"]>>>;

const readResults = rowsOf<ResultRow>("results", Object.values(Prisma.ResultScalarFieldEnum));

const snapshotField = (uuid: string) => ({ table: "results", column: "snapshot", row: uuid });

const releaseField = (uuid: string) => ({ table: "results", column: "release", row: uuid });
const releaseSchema: z.ZodType<ReleaseRecord> = z.object({
  name: z.string(),
  comment: z.string().nullable(),
  contacted: z.boolean(),
});

export function resultRepository({ tx, shop, keys, tolerate }: Scope): ResultRepository {
  const key = (uuid: string) => ({ shop_uuid: { shop, uuid } });
  const readRow = async (uuid: string) =>
    (await readResults(tx, Prisma.sql`shop = ${shop} AND uuid = ${uuid}::uuid`))[0] ?? null;
  const sealedSnapshot = (uuid: string) =>
    tx.result.findUnique({
      where: key(uuid),
      select: { requestId: true, snapshotSealed: true },
    });
  const opened = (uuid: string, { snapshotSealed }: { snapshotSealed: Uint8Array }, by: Opener) =>
    snapshotSchema.parse(by.openJson(snapshotField(uuid), snapshotSealed));
  return {
    async save(
      {
        environment,
        requestId,
        snapshot,
        partial,
        inReview,
        otherPerson,
        named,
        releasedAt,
        heldAt = null,
        correctedAt = null,
        figuresAt = null,
        at,
      },
      known,
    ) {
      const { uuid, referralUuid, status } = snapshot;
      if (await isRedacted({ tx, shop }, requestId)) return "redacted";
      const before = known === undefined ? await readRow(uuid) : known;
      if (before && isNewer(before, { updatedAt: snapshot.updatedAt, askedAt: at })) return "stale";
      // Nothing is searched for by when a result was made.
      const dates = datesOf(snapshot, before && { ...before, serviceCreatedAt: at }, at);
      const serviceUpdatedAt = dates.updatedAt;
      const said = snapshot.whole ?? snapshot;
      const person = named && { person: keepSaid(named, asSaid(said.person)) };
      const kept = {
        ...said,
        ...person,
        ...{ createdAt: snapshot.createdAt ?? dates.createdAt.toISOString() },
        ...{ updatedAt: snapshot.updatedAt ?? serviceUpdatedAt.toISOString() },
        resultAttachment: null,
      };
      const sealer = await keys.sealer({ request: requestId });
      const isHeldAsBefore = before !== null && heldAt?.getTime() === before.heldAt?.getTime();
      await unanswered(
        tx,
        Prisma.sql`
        INSERT INTO results (shop, uuid, received_at, environment, request_id, referral_uuid, status, partial, in_review,
                             other_person, released_at, held_at, hold_alerts, corrected_at, figures_at, deleted_at,
                             snapshot_sealed, service_updated_at, fetched_at)
        VALUES (${shop}, ${uuid}::uuid, ${at}, ${environment}, ${requestId}::uuid, ${referralUuid}::uuid, ${status}, ${partial},
                ${inReview}, ${otherPerson}, ${releasedAt}, ${heldAt}, ${isHeldAsBefore ? before.holdAlerts : 0}, ${correctedAt}, ${figuresAt},
                ${snapshot.deletedAt ? new Date(snapshot.deletedAt) : null}, ${sealer.sealJson(snapshotField(uuid), kept)},
                ${serviceUpdatedAt}, ${at})
        ON CONFLICT (shop, uuid) DO UPDATE SET
          environment = EXCLUDED.environment, request_id = EXCLUDED.request_id, referral_uuid = EXCLUDED.referral_uuid,
          status = EXCLUDED.status, partial = EXCLUDED.partial, in_review = EXCLUDED.in_review,
          other_person = EXCLUDED.other_person, released_at = EXCLUDED.released_at, held_at = EXCLUDED.held_at,
          hold_alerts = EXCLUDED.hold_alerts, corrected_at = EXCLUDED.corrected_at,
          figures_at = EXCLUDED.figures_at, deleted_at = EXCLUDED.deleted_at, snapshot_sealed = EXCLUDED.snapshot_sealed,
          service_updated_at = EXCLUDED.service_updated_at, fetched_at = EXCLUDED.fetched_at`,
      );
      return "stored";
    },
    async find(uuid) {
      const row = await readRow(uuid);
      return row && toResult(row);
    },
    async forRequests(requestIds) {
      const rows = await readResults(
        tx,
        Prisma.sql`shop = ${shop} AND request_id = ANY(${requestIds}::uuid[])`,
      );
      return rows.map(toResult);
    },
    async release(requestId, at, uuid) {
      return tx.result.updateManyAndReturn({
        where: {
          ...{ shop, requestId, releasedAt: null, ...(uuid ? { uuid } : {}) },
          ...{ inReview: false, deletedAt: null, otherPerson: false },
        },
        data: { releasedAt: at, heldAt: null, holdAlerts: 0 },
        select: { uuid: true, partial: true },
      });
    },
    async withhold(uuid) {
      await tx.result.updateMany({
        where: { shop, uuid },
        data: { otherPerson: true, releasedAt: null, heldAt: null, holdAlerts: 0 },
      });
    },
    async recordRelease(uuid, record) {
      const row = await tx.result.findUnique({ where: key(uuid), select: { requestId: true } });
      if (!row) return;
      const sealer = await keys.sealer({ request: row.requestId });
      const releaseSealed = sealer.sealJson(releaseField(uuid), record);
      await tx.result.updateMany({ where: { shop, uuid }, data: { releaseSealed } });
    },
    async releaseOf(uuid) {
      const row = await tx.result.findUnique({
        where: key(uuid),
        select: { requestId: true, releaseSealed: true },
      });
      if (!row?.releaseSealed) return null;
      const opener = await keys.opener({ request: row.requestId });
      return releaseSchema.parse(opener.openJson(releaseField(uuid), row.releaseSealed));
    },
    async recordHold(uuid, { heldAt, holdAlerts }) {
      await tx.result.updateMany({ where: { shop, uuid }, data: { heldAt, holdAlerts } });
    },
    async held(limit) {
      const rows = await readResults(
        tx,
        Prisma.sql`shop = ${shop} AND released_at IS NULL AND NOT in_review AND deleted_at IS NULL
          AND NOT other_person ORDER BY held_at NULLS FIRST, uuid LIMIT ${limit}`,
      );
      return rows.map(toResult);
    },
    async snapshotOf(uuid) {
      const row = await sealedSnapshot(uuid);
      return row && opened(uuid, row, await keys.opener({ request: row.requestId }));
    },
    async snapshotBefore(uuid) {
      const row = await sealedSnapshot(uuid);
      return (
        row &&
        formerSnapshot({ tolerate, keys }, "result", row.requestId, (opener) =>
          opened(uuid, row, opener),
        )
      );
    },
    async personBefore(uuid) {
      const row = await sealedSnapshot(uuid);
      return (
        row &&
        formerSnapshot({ tolerate, keys }, "result", row.requestId, (opener) =>
          personIn(opener.openJson(snapshotField(uuid), row.snapshotSealed)),
        )
      );
    },
    async snapshotUnlessErased(uuid) {
      const row = await sealedSnapshot(uuid);
      if (!row) return null;
      const opener = await keys.opener({ request: row.requestId });
      return unlessErased(() => opened(uuid, row, opener));
    },
  };
}

function toResult(row: ResultRow): StoredResult {
  const { uuid, requestId, referralUuid, status, partial, inReview, releasedAt, deletedAt } = row;
  const environment = parseEnum(ENVIRONMENTS, row.environment);
  const { serviceUpdatedAt, receivedAt, fetchedAt, otherPerson } = row;
  const { heldAt, holdAlerts, correctedAt, figuresAt } = row;
  return {
    uuid,
    environment,
    requestId,
    referralUuid,
    status,
    partial,
    inReview,
    otherPerson,
    releasedAt,
    heldAt,
    holdAlerts,
    correctedAt,
    figuresAt,
    deletedAt,
    serviceUpdatedAt,
    receivedAt,
    fetchedAt,
  };
}

const text = z.string().nullable();
const number = z.number().nullable();
const count = z.number();

/** The snapshot as this layer wrote it. */
const snapshotSchema: z.ZodType<KeptResult> = z.object({
  uuid: z.string(),
  referralUuid: z.string(),
  status: z.string(),
  reference: z.string(),
  referenceNumber: text,
  productId: text,
  productName: text,
  resultAttachment: text,
  createdAt: z.string(),
  updatedAt: z.string(),
  deletedAt: text,
  // Earlier versions stored whatever the service wrote, and a page fails on a date that is none.
  resultDate: text.transform((date) => (date ? dateOfResult(date) : null)),
  reviewed: z.boolean(),
  // Compared when it is fetched (`personBefore`), and told to nobody afterwards. Earlier versions left it out.
  person: z
    .unknown()
    .transform(() => null)
    .default(null),
  metadata: z.record(z.string(), z.unknown()).nullable(),
  biomarkerSummary: z
    .object({ normal: count, abnormal: count, critical: count, total: count })
    .nullable(),
  biomarkers: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      commonName: z.string(),
      description: z.string(),
      value: z.string(),
      valueType: z.string(),
      unit: z.string(),
      formattedValue: z.string(),
      isAbnormal: z.boolean(),
      sampleType: text,
      notes: text,
      category: z.object({ id: z.string(), name: z.string(), description: z.string() }),
      refIntervalLow: number,
      refIntervalHigh: number,
      additionalRanges: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          category: z.string(),
          lowRange: number,
          highRange: number,
        }),
      ),
    }),
  ),
});
