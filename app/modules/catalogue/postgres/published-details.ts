import { z } from "zod";
import type { Scope } from "../../../platform/database/scope.ts";
import { gid } from "../../kernel/ids.ts";
import type { PublishedDetailsRepository } from "../published.ts";

export function publishedDetailsRepository({ tx, shop }: Scope): PublishedDetailsRepository {
  return {
    async find(productId) {
      return tx.publishedDetails.findUnique({
        where: { shop_productId: { shop, productId } },
        select: { value: true, failure: true },
      });
    },
    async save(productId, { value, failure }, at) {
      const data = { value, failure, publishedAt: at };
      await tx.publishedDetails.upsert({
        where: { shop_productId: { shop, productId } },
        create: { shop, productId, ...data },
        update: data,
      });
    },
    async products({ after, limit }) {
      const rows = z.array(z.object({ id: z.string() })).parse(
        await tx.$queryRaw`
          SELECT id FROM (
            SELECT product_id AS id FROM published_details WHERE shop = ${shop} AND (value IS NOT NULL OR failure IS NOT NULL)
            UNION SELECT product_id FROM mappings WHERE shop = ${shop} AND kind = 'order') AS products
          WHERE id > ${after ?? ""} ORDER BY id LIMIT ${limit}`,
      );
      return rows.map((row) => gid("Product", row.id));
    },
    async failure() {
      const row = await tx.publishedDetails.findFirst({
        where: { shop, failure: { not: null } },
        orderBy: { publishedAt: "desc" },
        select: { failure: true },
      });
      return row?.failure ?? null;
    },
  };
}
