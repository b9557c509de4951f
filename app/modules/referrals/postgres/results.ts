import { z } from "zod";
import { parseEnum } from "../../../platform/database/parse-enum.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { ENVIRONMENTS } from "../../shops/connection.ts";
import type { ReleaseRecord, ResultRepository, StoredResult } from "../referral-repository.ts";
import type { ResultSnapshot } from "../snapshots.ts";
import { isRedacted } from "./is-redacted.ts";

type ResultRow = NonNullable<Awaited<ReturnType<Scope["tx"]["result"]["findUnique"]>>>;

const snapshotField = (uuid: string) => ({ table: "results", column: "snapshot", row: uuid });

const releaseField = (uuid: string) => ({ table: "results", column: "release", row: uuid });
const releaseSchema: z.ZodType<ReleaseRecord> = z.object({
  name: z.string(),
  comment: z.string().nullable(),
  contacted: z.boolean(),
});

export function resultRepository({ tx, shop, keys }: Scope): ResultRepository {
  const key = (uuid: string) => ({ shop_uuid: { shop, uuid } });
  return {
    async save({
      environment,
      requestId,
      snapshot,
      partial,
      inReview,
      otherPerson,
      releasedAt,
      heldAt = null,
      at,
    }) {
      const { uuid, referralUuid, status } = snapshot;
      if (await isRedacted({ tx, shop }, requestId)) return "redacted";
      const before = await tx.result.findUnique({ where: key(uuid) });
      const serviceUpdatedAt = new Date(snapshot.updatedAt);
      if (before && before.serviceUpdatedAt > serviceUpdatedAt) return "stale";
      const kept = { ...(snapshot.whole ?? snapshot), resultAttachment: null };
      const sealer = await keys.sealer({ request: requestId });
      const data = {
        environment,
        requestId,
        referralUuid,
        status,
        partial,
        inReview,
        otherPerson,
        releasedAt,
        heldAt,
        holdAlerts: heldAt?.getTime() === before?.heldAt?.getTime() ? before?.holdAlerts : 0,
        deletedAt: snapshot.deletedAt ? new Date(snapshot.deletedAt) : null,
        snapshotSealed: sealer.sealJson(snapshotField(uuid), kept),
        serviceUpdatedAt,
        fetchedAt: at,
      };
      await tx.result.upsert({
        where: key(uuid),
        create: { shop, uuid, receivedAt: at, ...data },
        update: data,
      });
      return "stored";
    },
    async find(uuid) {
      const row = await tx.result.findUnique({ where: key(uuid) });
      return row && toResult(row);
    },
    async forRequests(requestIds) {
      const rows = await tx.result.findMany({ where: { shop, requestId: { in: requestIds } } });
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
      const rows = await tx.result.findMany({
        where: { shop, releasedAt: null, inReview: false, deletedAt: null, otherPerson: false },
        orderBy: [{ heldAt: { sort: "asc", nulls: "first" } }, { uuid: "asc" }],
        take: limit,
      });
      return rows.map(toResult);
    },
    async snapshotOf(uuid) {
      const row = await tx.result.findUnique({
        where: key(uuid),
        select: { requestId: true, snapshotSealed: true },
      });
      if (!row) return null;
      const opener = await keys.opener({ request: row.requestId });
      return snapshotSchema.parse(opener.openJson(snapshotField(uuid), row.snapshotSealed));
    },
  };
}

function toResult(row: ResultRow): StoredResult {
  const { uuid, requestId, referralUuid, status, partial, inReview, releasedAt, deletedAt } = row;
  const environment = parseEnum(ENVIRONMENTS, row.environment);
  const { serviceUpdatedAt, receivedAt, fetchedAt, otherPerson, heldAt, holdAlerts } = row;
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
const snapshotSchema: z.ZodType<ResultSnapshot> = z.object({
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
  resultDate: text,
  reviewed: z.boolean(),
  // Compared when it is fetched, and told to nobody afterwards. Earlier versions left it out.
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
