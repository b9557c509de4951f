import { z } from "zod";
import { ENVIRONMENTS } from "../../domain/connections/connection.ts";
import type { ResultRepository, StoredResult } from "../../domain/referrals/referral-repository.ts";
import type { ResultSnapshot } from "../../domain/referrals/snapshots.ts";
import { oneOf } from "../one-of.ts";
import { isRedacted } from "./is-redacted.ts";
import type { Scope } from "./scope.ts";

type ResultRow = NonNullable<Awaited<ReturnType<Scope["tx"]["result"]["findUnique"]>>>;

const snapshotField = (uuid: string) => ({ table: "results", column: "snapshot", row: uuid });

export function resultRepository({ tx, shop, sealer }: Scope): ResultRepository {
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
      at,
    }) {
      const { uuid, referralUuid, status } = snapshot;
      if (await isRedacted({ tx, shop }, requestId)) return "redacted";
      const before = await tx.result.findUnique({ where: key(uuid) });
      const serviceUpdatedAt = new Date(snapshot.updatedAt);
      if (before && before.serviceUpdatedAt > serviceUpdatedAt) return "stale";
      const kept = { ...snapshot, resultAttachment: null, person: null };
      const data = {
        environment,
        requestId,
        referralUuid,
        status,
        partial,
        inReview,
        otherPerson,
        releasedAt,
        deletedAt: snapshot.deletedAt ? new Date(snapshot.deletedAt) : null,
        snapshotSealed: sealer.sealJson(snapshotField(uuid), kept),
        serviceUpdatedAt,
        fetchedAt: at,
      };
      await tx.result.upsert({ where: key(uuid), create: { shop, uuid, ...data }, update: data });
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
    async release(requestId, at) {
      return tx.result.updateManyAndReturn({
        where: {
          ...{ shop, requestId, releasedAt: null },
          ...{ inReview: false, deletedAt: null, otherPerson: false },
        },
        data: { releasedAt: at },
        select: { uuid: true, partial: true },
      });
    },
    async snapshotOf(uuid) {
      const row = await tx.result.findUnique({
        where: key(uuid),
        select: { snapshotSealed: true },
      });
      return row && snapshotSchema.parse(sealer.openJson(snapshotField(uuid), row.snapshotSealed));
    },
  };
}

function toResult(row: ResultRow): StoredResult {
  const { uuid, requestId, referralUuid, status, partial, inReview, releasedAt, deletedAt } = row;
  const environment = oneOf(ENVIRONMENTS, row.environment);
  const { serviceUpdatedAt, fetchedAt, otherPerson } = row;
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
    deletedAt,
    serviceUpdatedAt,
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
  person: z.null().default(null),
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
