import { z } from "zod";
import type { Scope } from "../../../platform/database/scope.ts";
import { gid, type OrderId } from "../../kernel/ids.ts";
import type { OpenedDataExport } from "../privacy.ts";

const place = { requestId: z.string().nullish(), orderId: z.string().nullish() };
const rows = z.array(z.looseObject(place)).default([]);

const packed = z.looseObject({
  orders: z.array(z.looseObject({ id: z.string() })).default([]),
  requests: z.array(z.looseObject({ id: z.string() })).default([]),
  lines: rows,
  consents: rows,
  corrections: rows,
  referrals: z.array(z.looseObject({ ...place, uuid: z.string() })).default([]),
  results: z.array(z.looseObject({ ...place, uuid: z.string() })).default([]),
  documents: z.array(z.looseObject({ ...place, id: z.string(), kind: z.string() })).default([]),
  mails: rows,
  accesses: rows,
  shares: rows,
  timeline: rows,
});

/**
 * A data export without what nobody may see any more: results, and their reports, that are held back again, withdrawn by the service,
 * or of another person, and referrals with their forms that name one since. Nor has it what is another's than the one's who asked:
 * staff may have corrected whose order it is, and a buyer may have handed a test to its patient. `theirs`: what is the asker's now. The
 * export was packed before.
 */
export async function shownNow(
  { tx, shop }: Scope,
  held: unknown,
  theirs: { requestIds: string[]; orderIds: OrderId[] },
): Promise<OpenedDataExport> {
  const { referrals, results, documents, ...rest } = onlyOf(theirs, packed.parse(held));
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
    held: {
      ...rest,
      referrals: referrals.filter(({ uuid }) => !isOther.has(uuid)),
      results: results.filter(({ uuid }) => isShown.has(uuid)),
      documents: documents.filter(isOpen),
    },
    requestIds: rest.requests.map(({ id }) => id),
    orderIds: rest.orders.map(({ id }) => gid("Order", id)),
  };
}

/** A line of a test goes by the test, every other one by its order. */
function onlyOf(
  theirs: { requestIds: string[]; orderIds: OrderId[] },
  { orders, requests, ...held }: z.infer<typeof packed>,
): z.infer<typeof packed> {
  const ids = new Set<string>(theirs.requestIds);
  const orderIds = new Set<string>(theirs.orderIds);
  const isTheirs = ({ requestId, orderId }: z.infer<typeof rows>[number]) =>
    requestId ? ids.has(requestId) : orderIds.has(orderId ?? "");
  return {
    ...held,
    orders: orders.filter(({ id }) => orderIds.has(id)),
    requests: requests.filter(({ id }) => ids.has(id)),
    lines: held.lines.filter(isTheirs),
    consents: held.consents.filter(isTheirs),
    corrections: held.corrections.filter(isTheirs),
    referrals: held.referrals.filter(isTheirs),
    results: held.results.filter(isTheirs),
    documents: held.documents.filter(isTheirs),
    mails: held.mails.filter(isTheirs),
    accesses: held.accesses.filter(isTheirs),
    shares: held.shares.filter(isTheirs),
    timeline: held.timeline.filter(isTheirs),
  };
}
