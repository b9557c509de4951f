import { z } from "zod";
import type { Scope } from "../../../platform/database/scope.ts";
import type { TimelineRepository } from "../timeline.ts";

const detailSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

/** An order with more has the latest shown. */
const MAX_ENTRIES = 2_000;

export function timelineRepository({ tx, shop }: Scope): TimelineRepository {
  return {
    async add(...entries) {
      await tx.timelineEntry.createMany({
        data: entries.map(({ detail = {}, ...entry }) => ({ shop, ...entry, detail })),
      });
    },
    async forOrder(orderId) {
      const rows = await tx.timelineEntry.findMany({
        where: { shop, orderId },
        orderBy: { id: "desc" },
        take: MAX_ENTRIES,
      });
      return rows.reverse().map(({ id, kind, actor, at, requestId, detail }) => ({
        id: String(id),
        kind,
        actor,
        at,
        requestId,
        detail: detailSchema.parse(detail),
      }));
    },
  };
}
