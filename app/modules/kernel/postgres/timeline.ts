import { z } from "zod";
import { Prisma } from "../../../generated/prisma/client.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { unanswered } from "../../../platform/database/unanswered.ts";
import type { TimelineRepository } from "../timeline.ts";

const detailSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

/** An order with more has the latest shown. */
const MAX_ENTRIES = 2_000;

export function timelineRepository({ tx, shop }: Scope): TimelineRepository {
  return {
    async add(...entries) {
      if (entries.length === 0) return;
      const rows = entries.map(({ orderId, requestId, detail = {}, ...entry }) => ({
        ...{ ...entry, detail },
        ...{ order_id: orderId, request_id: requestId },
      }));
      await unanswered(
        tx,
        Prisma.sql`
        INSERT INTO timeline (shop, order_id, request_id, at, actor, kind, detail)
        SELECT ${shop}, e.* FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          AS e(order_id text, request_id uuid, at timestamptz, actor text, kind text, detail jsonb)
        RETURNING id`,
      );
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
