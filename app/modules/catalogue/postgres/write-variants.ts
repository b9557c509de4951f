import type { Scope } from "../../../platform/database/scope.ts";
import type { ProductId, VariantId } from "../../kernel/ids.ts";
import type { StoreVariant } from "../store-products.ts";

/** A price that hides a product can be higher than its column holds; nobody compares those. */
const MAX_PRICE_CENTS = 2_147_483_647;

type Place = Pick<Scope, "tx" | "shop">;

/** Writes what a reading found, unless a reading that began later has been there. */
export async function putVariants(
  { tx, shop }: Place,
  variants: StoreVariant[],
  at: Date,
): Promise<void> {
  if (variants.length === 0) return;
  const column = <T>(of: (variant: StoreVariant) => T) => variants.map(of);
  await tx.$executeRaw`
    INSERT INTO store_variants (shop, variant_id, product_id, product_title, variant_title, sku, price_cents,
                                product_status, sort_key, search_text, read_at)
    SELECT ${shop}, variant_id, product_id, product_title, variant_title, sku, least(price_cents, ${MAX_PRICE_CENTS}), status,
           lower(product_title || ' ' || coalesce(variant_title, '')),
           lower(concat_ws(' ', product_title, variant_title, sku)), ${at}
    FROM unnest(${column((one) => one.id)}::text[], ${column((one) => one.productId)}::text[],
                ${column((one) => one.productTitle)}::text[], ${column((one) => one.variantTitle)}::text[],
                ${column((one) => one.sku)}::text[], ${column((one) => BigInt(one.priceCents))}::bigint[],
                ${column((one) => one.productStatus)}::text[])
      AS found(variant_id, product_id, product_title, variant_title, sku, price_cents, status)
    ON CONFLICT (shop, variant_id) DO UPDATE SET
      product_id = excluded.product_id, product_title = excluded.product_title,
      variant_title = excluded.variant_title, sku = excluded.sku, price_cents = excluded.price_cents,
      product_status = excluded.product_status, sort_key = excluded.sort_key,
      search_text = excluded.search_text, read_at = excluded.read_at, deleted_at = NULL
    WHERE store_variants.read_at <= excluded.read_at`;
}

/** Marks what a product no longer has. A reading that began earlier than another proves nothing against it. */
export async function dropOthers(
  { tx, shop }: Place,
  { product, present, at }: { product: ProductId; present: VariantId[]; at: Date },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE store_variants SET deleted_at = ${at}, read_at = ${at}
    WHERE shop = ${shop} AND product_id = ${product} AND deleted_at IS NULL AND read_at <= ${at}
      AND variant_id <> ALL(${present}::text[])`;
}

/**
 * Marks what a pass over all products did not meet. Mappings of variants that nobody ever read belong to
 * products that had gone before the first pass: they get a row without a title, so that the merchant sees them.
 */
export async function dropUnmet({ tx, shop }: Place, at: Date): Promise<void> {
  await tx.$executeRaw`
    UPDATE store_variants SET deleted_at = ${at}
    WHERE shop = ${shop} AND deleted_at IS NULL AND read_at < ${at}`;
  await tx.$executeRaw`
    INSERT INTO store_variants (shop, variant_id, product_id, product_title, price_cents, product_status,
                                sort_key, search_text, deleted_at, read_at)
    SELECT DISTINCT ON (m.variant_id) m.shop, m.variant_id, m.product_id, '', 0, 'deleted', '', '', ${at}, ${at}
    FROM mappings m WHERE m.shop = ${shop} AND m.kind = 'order' AND m.updated_at < ${at}
      AND m.variant_id <> m.product_id
    ON CONFLICT (shop, variant_id) DO NOTHING`;
}
