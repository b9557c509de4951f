import { z } from "zod";
import type { Scope } from "../../../platform/database/scope.ts";
import type { Actor } from "../../kernel/timeline.ts";
import type { BulkReorder, BulkReorderRepository } from "../bulk-reorder.ts";

const actor: z.ZodType<Actor> = z.union([
  z.enum(["pathway", "shopify", "service", "shopper"]),
  z.templateLiteral(["staff:", z.string()]),
]);

const bulkSchema: z.ZodType<BulkReorder> = z.object({
  id: z.string(),
  askedBy: actor,
  askedAt: z.date(),
  total: z.number(),
  done: z.number(),
  skipped: z.number(),
  finishedAt: z.date().nullable(),
});

export function bulkReorderRepository({ tx, shop }: Scope): BulkReorderRepository {
  return {
    async begin(asking, at) {
      await tx.bulkReorder.createMany({
        data: [{ shop, ...asking, askedAt: at }],
        skipDuplicates: true,
      });
      const unfinished = { shop, finishedAt: null };
      return bulkSchema.parse(await tx.bulkReorder.findFirstOrThrow({ where: unfinished }));
    },
    async find(id) {
      const row = await tx.bulkReorder.findUnique({ where: { shop_id: { shop, id } } });
      return row && bulkSchema.parse(row);
    },
    async latest() {
      const row = await tx.bulkReorder.findFirst({ where: { shop }, orderBy: { askedAt: "desc" } });
      return row && bulkSchema.parse(row);
    },
    async count(id, outcome) {
      await tx.bulkReorder.updateMany({
        where: { shop, id },
        data: { [outcome]: { increment: 1 } },
      });
    },
    async finish(id, at) {
      await tx.bulkReorder.updateMany({
        where: { shop, id, finishedAt: null },
        data: { finishedAt: at },
      });
    },
  };
}
