import { z } from "zod";
import { Prisma } from "../../../generated/prisma/client.ts";
import { parseEnum } from "../../../platform/database/parse-enum.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { unanswered } from "../../../platform/database/unanswered.ts";
import {
  ACCESS_KINDS,
  ACCESS_PARTIES,
  type AccessLogRepository,
  SAVED_PATIENT_KINDS,
} from "../access-log.ts";

const detailSchema = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
  .nullable();

export function accessLogRepository({ tx, shop }: Pick<Scope, "tx"> & { shop: string }) {
  const list = async (where: object, limit: number) => {
    const rows = await tx.accessEntry.findMany({
      where: { shop, ...where },
      orderBy: { id: "desc" },
      take: limit,
    });
    return rows.map(({ id: _, shop: __, who, what, detail, ...row }) => ({
      ...row,
      who: parseEnum(ACCESS_PARTIES, who),
      what: parseEnum(ACCESS_KINDS, what),
      detail: detailSchema.parse(detail),
    }));
  };
  return {
    async add(...entries) {
      if (entries.length === 0) return;
      const rows = entries.map(({ requestId, subjectId, ...entry }) => ({
        ...entry,
        request_id: requestId,
        subject_id: subjectId,
      }));
      // One statement for all of them, with the name that each member of staff has now.
      await unanswered(
        tx,
        Prisma.sql`
        INSERT INTO access_log (shop, at, who, actor, actor_name, what, request_id, subject_id, detail)
        SELECT ${shop}, e.at, e.who, e.actor,
               (SELECT m.name FROM staff_members m WHERE m.shop = ${shop} AND m.staff = e.actor),
               e.what, e.request_id, e.subject_id, nullif(e.detail, 'null')
        FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          AS e(at timestamptz, who text, actor text, what text, request_id uuid, subject_id uuid, detail jsonb)
        RETURNING id`,
      );
    },
    forRequests: (requestIds, limit, who) =>
      list({ requestId: { in: [...requestIds] }, ...(who && { who: { in: [...who] } }) }, limit),
    forSavedPatients: async (ids, limit) =>
      ids.length === 0
        ? []
        : list(
            {
              requestId: null,
              subjectId: { in: [...ids] },
              what: { in: [...SAVED_PATIENT_KINDS] },
            },
            limit,
          ),
    ofShop: (limit) => list({ requestId: null, what: { notIn: [...SAVED_PATIENT_KINDS] } }, limit),
    async signaturesRefused(place, since, environment) {
      const [row] = await tx.$queryRaw<{ count: number }[]>`
        SELECT coalesce(sum((detail->>'count')::int), 0)::int AS count FROM access_log
        WHERE shop = ${shop} AND request_id IS NULL AND what = 'signature_refused' AND at >= ${since}
          AND detail->>'place' = ${place}
          AND (${environment ?? null}::text IS NULL
            OR coalesce(detail->>'environment', ${environment ?? null}) = ${environment ?? null})`;
      return row?.count ?? 0;
    },
  } satisfies AccessLogRepository;
}
