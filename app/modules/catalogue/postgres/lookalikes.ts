import { z } from "zod";
import { Prisma } from "../../../generated/prisma/client.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { gid, type VariantId } from "../../kernel/ids.ts";
import type { Environment } from "../../shops/connection.ts";
import type { CopiedVariant } from "../store-variants.ts";
import { mappingRepository } from "./mappings.ts";

const variantId = z.string().transform((value) => gid("ProductVariant", value));
const pairs = z.array(z.object({ copy: variantId, original: variantId, title: z.string() }));

/** Titles without what the store's "Duplicate" puts before them. */
const bare = (column: Prisma.Sql) => Prisma.sql`regexp_replace(${column}, '^(copy of )+', '')`;

/** Unmapped variants beside mapped ones of another product with the same SKU or the same titles. */
function pairsOf(shop: string, environment: Environment, condition: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    SELECT DISTINCT ON (copy.variant_id) copy.variant_id AS copy, original.variant_id AS original,
           concat_ws(' – ', original.product_title, original.variant_title) AS title
    FROM store_variants copy
    JOIN store_variants original ON original.shop = copy.shop AND original.product_id <> copy.product_id
      AND original.deleted_at IS NULL
      AND (original.sku = copy.sku OR original.sort_key = ${bare(Prisma.sql`copy.sort_key`)})
    JOIN mappings m ON m.shop = original.shop AND m.environment = ${environment}
      AND m.variant_id = original.variant_id AND m.kind = 'order'
    WHERE copy.shop = ${shop} AND copy.deleted_at IS NULL ${condition}
      AND NOT EXISTS (SELECT FROM mappings own WHERE own.shop = copy.shop AND own.environment = ${environment}
                        AND own.variant_id = copy.variant_id)
    ORDER BY copy.variant_id, original.sku = copy.sku DESC NULLS LAST, original.variant_id`;
}

export async function findLookalikes(
  scope: Scope,
  environment: Environment,
  ids: VariantId[],
): Promise<Map<VariantId, CopiedVariant>> {
  if (ids.length === 0) return new Map();
  const condition = Prisma.sql`AND copy.variant_id = ANY(${ids}::text[])`;
  const found = pairs.parse(await scope.tx.$queryRaw(pairsOf(scope.shop, environment, condition)));
  const originals = await mappingRepository(scope).list(
    environment,
    found.map((pair) => pair.original),
  );
  return new Map(
    found.flatMap(({ copy, original, title }) => {
      const mapping = originals.get(original);
      return mapping ? [[copy, { id: original, title, mapping }] as const] : [];
    }),
  );
}

export async function countCopies(scope: Scope, environment: Environment): Promise<number> {
  const rows = z.array(z.object({ count: z.number() })).parse(
    await scope.tx.$queryRaw`
      SELECT count(*)::int AS count FROM (${pairsOf(scope.shop, environment, Prisma.empty)}) pairs`,
  );
  return rows[0]?.count ?? 0;
}
