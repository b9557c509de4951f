import { z } from "zod";
import type { Scope } from "../../../platform/database/scope.ts";

const packed = z.looseObject({
  referrals: z.array(z.looseObject({ uuid: z.string() })).default([]),
  results: z.array(z.looseObject({ uuid: z.string() })).default([]),
  documents: z.array(z.looseObject({ id: z.string(), kind: z.string() })).default([]),
});

/**
 * A data export without what nobody may see any more: results, and their reports, that are held back again, withdrawn by the service,
 * or of another person, and referrals with their forms that name one since. The export was packed before.
 */
export async function shownNow({ tx, shop }: Scope, held: unknown): Promise<unknown> {
  const { referrals, results, documents, ...rest } = packed.parse(held);
  const where = { shop, releasedAt: { not: null }, deletedAt: null, otherPerson: false };
  const shown = await tx.result.findMany({
    where: { ...where, uuid: { in: results.map(({ uuid }) => uuid) } },
    select: { uuid: true },
  });
  const others = await tx.referral.findMany({
    where: { shop, otherPerson: true, uuid: { in: referrals.map(({ uuid }) => uuid) } },
    select: { uuid: true },
  });
  const sources = await tx.document.findMany({
    where: { shop, id: { in: documents.map(({ id }) => id) } },
    select: { id: true, sourceUuid: true },
  });
  const isShown = new Set(shown.map(({ uuid }) => uuid));
  const isOther = new Set(others.map(({ uuid }) => uuid));
  const sourceOf = new Map(sources.map(({ id, sourceUuid }) => [id, sourceUuid]));
  const isOpen = ({ id, kind }: { id: string; kind: string }) => {
    const source = sourceOf.get(id);
    return kind === "result"
      ? source !== undefined && isShown.has(source)
      : source === undefined || !isOther.has(source);
  };
  return {
    ...rest,
    referrals: referrals.filter(({ uuid }) => !isOther.has(uuid)),
    results: results.filter(({ uuid }) => isShown.has(uuid)),
    documents: documents.filter(isOpen),
  };
}
