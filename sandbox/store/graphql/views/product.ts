import { globalId } from "../../state/global-id.ts";
import type { ProductDocument, VariantRecord } from "../../state/product.ts";
import { amount } from "../../webhooks/payloads/money.ts";
import { listConnection, type PageArguments } from "../connection.ts";
import type { Caller } from "../context.ts";
import type { View } from "../view.ts";
import { metafieldFields } from "./metafield.ts";
import { moneyV2 } from "./money.ts";

/** Product. Pictures and channels are not modelled: there is one channel, and no pictures. */
export function productView(caller: Caller, product: ProductDocument): View {
  const id = globalId("Product", product.id);
  const prices = product.variants.map((variant) => variant.priceCents);
  const price = (cents: number) => moneyV2(cents, caller.shop.currencyCode);
  const description = product.descriptionHtml.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");
  return {
    __typename: "Product",
    id,
    legacyResourceId: String(product.id),
    title: product.title,
    handle: product.handle,
    descriptionHtml: product.descriptionHtml,
    description: ({ truncateAt }: { truncateAt?: number | null }) =>
      description.trim().slice(0, truncateAt ?? undefined),
    vendor: product.vendor,
    productType: product.productType,
    status: product.status,
    tags: product.tags,
    isGiftCard: product.isGiftCard,
    category: null,
    templateSuffix: null,
    createdAt: product.createdAt,
    updatedAt: product.updatedAt,
    publishedAt: product.publishedAt,
    onlineStoreUrl:
      product.status === "ACTIVE" ? `https://${caller.shop.id}/products/${product.handle}` : null,
    featuredMedia: null,
    featuredImage: null,
    hasOnlyDefaultVariant:
      product.variants.length === 1 && product.variants[0]?.title === "Default Title",
    hasVariantsThatRequiresComponents: false,
    totalInventory: product.variants.reduce((sum, variant) => sum + variant.inventoryQuantity, 0),
    tracksInventory: false,
    variantsCount: { count: product.variants.length, precision: "EXACT" },
    priceRangeV2: {
      minVariantPrice: price(Math.min(...prices)),
      maxVariantPrice: price(Math.max(...prices)),
    },
    options: ({ first }: { first?: number | null }) =>
      product.options.slice(0, first ?? undefined).map((option, index) => ({
        id: globalId("ProductOption", option.id),
        name: option.name,
        position: index + 1,
        values: option.values,
      })),
    variants: (args: PageArguments) =>
      listConnection(product.variants, args, (variant) => variantView(caller, product, variant)),
    ...metafieldFields(caller, id, () => productView(caller, product)),
  };
}

/** ProductVariant */
export function variantView(
  caller: Caller,
  product: ProductDocument,
  variant: VariantRecord,
): View {
  const id = globalId("ProductVariant", variant.id);
  const isDefault = variant.title === "Default Title";
  return {
    __typename: "ProductVariant",
    id,
    legacyResourceId: String(variant.id),
    title: variant.title,
    displayName: isDefault
      ? `${product.title} - Default Title`
      : `${product.title} - ${variant.title}`,
    sku: variant.sku,
    barcode: variant.barcode,
    price: amount(variant.priceCents),
    compareAtPrice:
      variant.compareAtPriceCents === null ? null : amount(variant.compareAtPriceCents),
    position: product.variants.indexOf(variant) + 1,
    availableForSale: product.status === "ACTIVE",
    taxable: variant.taxable,
    inventoryPolicy: "DENY",
    inventoryQuantity: variant.inventoryQuantity,
    requiresComponents: false,
    selectedOptions: variant.selectedOptions,
    image: null,
    createdAt: variant.createdAt,
    updatedAt: variant.updatedAt,
    product: () => productView(caller, product),
    inventoryItem: {
      __typename: "InventoryItem",
      id: globalId("InventoryItem", variant.inventoryItemId),
      legacyResourceId: String(variant.inventoryItemId),
      sku: variant.sku,
      tracked: false,
      requiresShipping: variant.requiresShipping,
    },
    ...metafieldFields(caller, id, () => variantView(caller, product, variant)),
  };
}
