import { z } from "zod";
import { Prisma } from "../../../generated/prisma/client.ts";
import { rowsOf } from "../../../platform/database/rows-of.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { gid } from "../../kernel/ids.ts";
import type { PublishedDetailsRepository } from "../published.ts";

const readPublished = rowsOf<{ value: string | null; failure: string | null }>(
  "published_details",
  ["value", "failure"],
);

/** No page says this: details are the text of an object. So it differs from whatever a page is to say. */
const UNKNOWN = "";

export function publishedDetailsRepository({ tx, shop }: Scope): PublishedDetailsRepository {
  return {
    async find(productId) {
      const [row] = await readPublished(
        tx,
        Prisma.sql`shop = ${shop} AND product_id = ${productId}`,
      );
      return row ?? null;
    },
    async save(productId, { value, failure }, at) {
      await tx.$executeRaw`
        INSERT INTO published_details (shop, product_id, value, failure, published_at)
        VALUES (${shop}, ${productId}, ${value}, ${failure}, ${at})
        ON CONFLICT (shop, product_id) DO UPDATE
          SET value = EXCLUDED.value, failure = EXCLUDED.failure, published_at = EXCLUDED.published_at`;
    },
    async doubtAll() {
      await tx.$executeRaw`
        UPDATE published_details SET value = ${UNKNOWN} WHERE shop = ${shop} AND value IS NOT NULL`;
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
