import { z } from "zod";
import type { Scope } from "../../../platform/database/scope.ts";
import type { TimelineRepository } from "../timeline.ts";

const detailSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

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
        orderBy: { id: "asc" },
      });
      return rows.map(({ id, kind, actor, at, requestId, detail }) => ({
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
