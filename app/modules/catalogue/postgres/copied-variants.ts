import { z } from "zod";
import { Prisma } from "../../../generated/prisma/client.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { gid, type VariantId } from "../../kernel/ids.ts";
import type { Environment } from "../../shops/connection.ts";
import type { CopiedVariant } from "../store-variants.ts";
import { mappingRepository } from "./mappings.ts";
import { joinMeaning } from "./meaning-of.ts";

const variantId = z.string().transform((value) => gid("ProductVariant", value));
const pairs = z.array(z.object({ copy: variantId, original: variantId, title: z.string() }));

/** Titles without what the store's "Duplicate" puts before them. */
const bare = (column: Prisma.Sql) => Prisma.sql`regexp_replace(${column}, '^(copy of )+', '')`;

/** Unmapped variants beside mapped ones of another product with the same SKU or the same titles. */
function pairsOf(shop: string, environment: Environment, condition: Prisma.Sql): Prisma.Sql {
  const pairs = (isBySku: boolean, match: Prisma.Sql) => Prisma.sql`
    SELECT copy.variant_id AS copy, original.variant_id AS original, original.title, ${isBySku} AS by_sku
    FROM meant copy JOIN meant original ON ${match} AND original.product_id <> copy.product_id
    WHERE copy.kind IS NULL AND original.kind = 'order' ${condition}`;
  // Two joins: one with an "or" compares each variant of the store with each.
  return Prisma.sql`
    WITH meant AS NOT MATERIALIZED (
      SELECT v.variant_id, v.product_id, v.sku, v.sort_key, m.kind,
             concat_ws(' – ', v.product_title, v.variant_title) AS title
      FROM store_variants v ${joinMeaning(Prisma.sql`v`, environment)}
      WHERE v.shop = ${shop} AND v.deleted_at IS NULL
    ), pairs AS (
      ${pairs(true, Prisma.sql`original.sku = copy.sku`)}
      UNION ALL ${pairs(false, Prisma.sql`original.sort_key = ${bare(Prisma.sql`copy.sort_key`)}`)}
    )
    SELECT DISTINCT ON (copy) copy, original, title FROM pairs ORDER BY copy, by_sku DESC, original`;
}

export async function findCopiedVariants(
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
