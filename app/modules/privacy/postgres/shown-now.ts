import { z } from "zod";
import type { Scope } from "../../../platform/database/scope.ts";

const packed = z.looseObject({
  results: z.array(z.looseObject({ uuid: z.string() })).default([]),
  documents: z.array(z.looseObject({ id: z.string(), kind: z.string() })).default([]),
});

/**
 * A data export without the results, and their reports, that nobody may see any more: held back again, withdrawn by the
 * service, or of another person. The export was packed when they were released.
 */
export async function shownNow({ tx, shop }: Scope, held: unknown): Promise<unknown> {
  const { results, documents, ...rest } = packed.parse(held);
  const where = { shop, releasedAt: { not: null }, deletedAt: null, otherPerson: false };
  const stored = await tx.result.findMany({
    where: { ...where, uuid: { in: results.map(({ uuid }) => uuid) } },
    select: { uuid: true },
  });
  const shown = new Set(stored.map(({ uuid }) => uuid));
  const reports = await tx.document.findMany({
    where: { shop, kind: "result", id: { in: documents.map(({ id }) => id) } },
    select: { id: true, sourceUuid: true },
  });
  const open = new Set(reports.filter((one) => shown.has(one.sourceUuid)).map(({ id }) => id));
  return {
    ...rest,
    results: results.filter(({ uuid }) => shown.has(uuid)),
    documents: documents.filter(({ id, kind }) => kind !== "result" || open.has(id)),
  };
}
