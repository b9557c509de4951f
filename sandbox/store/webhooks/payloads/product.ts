import { globalId } from "../../state/global-id.ts";
import type { ProductDocument, VariantRecord } from "../../state/product.ts";
import type { ShopDocument } from "../../state/shop.ts";
import { shopTime } from "../shop-time.ts";
import { amount } from "./money.ts";

/** products/create and products/update */
export function productPayload(product: ProductDocument, shop: ShopDocument) {
  const time = (iso: string) => shopTime(iso, shop.ianaTimezone);
  return {
    admin_graphql_api_id: globalId("Product", product.id),
    body_html: product.descriptionHtml,
    created_at: time(product.createdAt),
    handle: product.handle,
    id: product.id,
    product_type: product.productType,
    published_at: product.publishedAt === null ? null : time(product.publishedAt),
    template_suffix: null,
    title: product.title,
    updated_at: time(product.updatedAt),
    vendor: product.vendor,
    status: product.status.toLowerCase(),
    published_scope: "web",
    tags: product.tags.join(", "),
    variants: product.variants.map((variant, index) =>
      variantPayload(product, variant, index, time),
    ),
    options: product.options.map((option, index) => ({
      name: option.name,
      id: option.id,
      product_id: product.id,
      position: index + 1,
      values: option.values,
    })),
    images: [],
    image: null,
    media: [],
    variant_gids: product.variants.map((variant) => ({
      admin_graphql_api_id: globalId("ProductVariant", variant.id),
      updated_at: new Date(variant.updatedAt).toISOString(),
    })),
    has_variants_that_requires_components: false,
    category: null,
  };
}

function variantPayload(
  product: ProductDocument,
  variant: VariantRecord,
  index: number,
  time: (iso: string) => string,
) {
  const [option1, option2, option3] = variant.selectedOptions.map((option) => option.value);
  return {
    admin_graphql_api_id: globalId("ProductVariant", variant.id),
    barcode: variant.barcode,
    compare_at_price:
      variant.compareAtPriceCents === null ? null : amount(variant.compareAtPriceCents),
    created_at: time(variant.createdAt),
    id: variant.id,
    inventory_policy: "deny",
    position: index + 1,
    price: amount(variant.priceCents),
    product_id: product.id,
    sku: variant.sku,
    taxable: variant.taxable,
    title: variant.title,
    updated_at: time(variant.updatedAt),
    option1: option1 ?? null,
    option2: option2 ?? null,
    option3: option3 ?? null,
    image_id: null,
    inventory_item_id: variant.inventoryItemId,
    inventory_quantity: variant.inventoryQuantity,
    old_inventory_quantity: variant.inventoryQuantity,
  };
}
