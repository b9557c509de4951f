import { z } from "zod";
import { parseEnum } from "../../../platform/database/parse-enum.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { gid } from "../../kernel/ids.ts";
import { REHEARSAL_STEPS, type Rehearsal, type RehearsalRepository } from "../rehearsal.ts";

type Row = NonNullable<Awaited<ReturnType<Scope["tx"]["rehearsal"]["findUnique"]>>>;

const trailSchema = z.array(
  z.object({ step: z.enum(REHEARSAL_STEPS), at: z.string().transform((text) => new Date(text)) }),
);

export function rehearsalRepository({ tx, shop }: Scope): RehearsalRepository {
  return {
    async begin({ startedAt, ...rehearsal }) {
      const { count } = await tx.rehearsal.createMany({
        data: [{ shop, ...rehearsal, startedAt, step: "connect", stepSince: startedAt }],
        // The only other key is "one that is running".
        skipDuplicates: true,
      });
      return count > 0;
    },
    async find(id) {
      const row = await tx.rehearsal.findUnique({ where: { shop_id: { shop, id } } });
      return row && toRehearsal(row);
    },
    async latest(limit) {
      const rows = await tx.rehearsal.findMany({
        where: { shop },
        orderBy: { startedAt: "desc" },
        take: limit,
      });
      return rows.map(toRehearsal);
    },
    async advance(id, from, to, at) {
      const done = JSON.stringify([{ step: from, at: at.toISOString() }]);
      const count = await tx.$executeRaw`
        UPDATE rehearsals SET step = ${to}, step_since = ${at}, trail = trail || ${done}::jsonb
        WHERE shop = ${shop} AND id = ${id}::uuid AND step = ${from} AND finished_at IS NULL`;
      return count > 0;
    },
    async finish(id, { at, failure, heardEvents }) {
      await tx.rehearsal.updateMany({
        where: { shop, id, finishedAt: null },
        data: { finishedAt: at, failure, heardEvents },
      });
    },
  };
}

function toRehearsal(row: Row): Rehearsal {
  const { id, title, stepSince, startedAt, finishedAt, failure, heardEvents } = row;
  return {
    id,
    title,
    stepSince,
    startedAt,
    finishedAt,
    failure,
    heardEvents,
    variantId: gid("ProductVariant", row.variantId),
    orderId: gid("Order", row.orderId),
    step: parseEnum(REHEARSAL_STEPS, row.step),
    trail: trailSchema.parse(row.trail),
  };
}
