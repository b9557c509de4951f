import { z } from "zod";
import type { Scope } from "../../../../platform/database/scope.ts";
import { isAwaitingMapping } from "../../../catalogue/postgres/awaiting-mapping.ts";
import { gid } from "../../../kernel/ids.ts";
import type { Environment } from "../../../shops/connection.ts";
import type { UnmappedSale } from "../../home-figures.ts";

const unmappedRows = z.array(
  z.object({
    variantId: z.string().transform((value) => gid("ProductVariant", value)),
    productId: z
      .string()
      .nullable()
      .transform((value) => (value === null ? null : gid("Product", value))),
    title: z.string(),
    orders: z.number(),
  }),
);

export async function readUnmappedSales(
  { tx, shop }: Scope,
  environment: Environment,
): Promise<UnmappedSale[]> {
  const rows = await tx.$queryRaw`
    SELECT l.variant_id AS "variantId", max(l.product_id) AS "productId", max(l.title) AS title,
           count(DISTINCT l.order_id)::int AS orders
    FROM order_lines l JOIN orders o ON o.shop = l.shop AND o.order_id = l.order_id
    JOIN shops s ON s.shop = l.shop
    WHERE l.shop = ${shop} AND ${isAwaitingMapping(shop)} AND l.variant_id IS NOT NULL AND o.cancelled_at IS NULL
      AND CASE WHEN o.test THEN 'staging' ELSE s.environment END = ${environment}
    GROUP BY 1 ORDER BY orders DESC, title LIMIT 20`;
  return unmappedRows.parse(rows);
}
