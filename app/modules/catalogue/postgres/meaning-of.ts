import { Prisma } from "../../../generated/prisma/client.ts";

/**
 * Joins as `m` what the variant of a row means: its own mapping, else its product’s, else nothing. `alias` is a row with
 * `shop`, `variant_id` and `product_id`. `m.is_exception` says that the product as a whole has a mapping, and the variant
 * another one. Two plain joins, because the list counts over all variants of a store.
 */
export const joinMeaning = (alias: Prisma.Sql, environment: string): Prisma.Sql => Prisma.sql`
  LEFT JOIN mappings own ON own.shop = ${alias}.shop AND own.environment = ${environment}
    AND own.variant_id = ${alias}.variant_id
  LEFT JOIN mappings whole ON whole.shop = ${alias}.shop AND whole.environment = ${environment}
    AND whole.variant_id = ${alias}.product_id
  CROSS JOIN LATERAL (
    SELECT (coalesce(own, whole)).*, own.shop IS NULL AS is_inherited,
           own.shop IS NOT NULL AND whole.shop IS NOT NULL AS is_exception
  ) m`;
