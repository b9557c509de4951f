import type { Platform } from "../platform.ts";
import { nextId } from "../state/next-id.ts";
import type { ProductDocument } from "../state/product.ts";
import type { ShopDocument } from "../state/shop.ts";
import { productPayload } from "../webhooks/payloads/product.ts";
import { publish } from "../webhooks/publish.ts";

export interface NewProduct {
  title: string;
  descriptionHtml?: string;
  vendor?: string;
  productType?: string;
  tags?: string[];
  status?: ProductDocument["status"];
  isGiftCard?: boolean;
  /** Name of the one option; needed when there are several variants. */
  optionName?: string;
  variants: {
    title?: string;
    sku?: string | null;
    priceCents: number;
    requiresShipping?: boolean;
    weightGrams?: number;
    taxable?: boolean;
  }[];
}

/** Makes a product and tells the app: products/create. A single variant without a title is the default one. */
export function createProduct(
  platform: Platform,
  shop: ShopDocument,
  input: NewProduct,
): ProductDocument {
  const { data } = platform;
  const now = platform.clock.nowIso();
  const onlyDefault = input.variants.length === 1 && !input.variants[0]?.title;
  const optionName = onlyDefault ? "Title" : (input.optionName ?? "Option");
  const titles = input.variants.map((variant) => variant.title ?? "Default Title");
  const product = data.products.put({
    id: nextId(data),
    shop: shop.id,
    title: input.title,
    handle: freeHandle(platform, shop, input.title),
    descriptionHtml: input.descriptionHtml ?? "",
    vendor: input.vendor ?? shop.name,
    productType: input.productType ?? "",
    status: input.status ?? "ACTIVE",
    tags: input.tags ?? [],
    isGiftCard: input.isGiftCard ?? false,
    createdAt: now,
    updatedAt: now,
    publishedAt: now,
    options: [{ id: nextId(data), name: optionName, values: titles }],
    variants: input.variants.map((variant, index) => ({
      id: nextId(data),
      title: titles[index] ?? "Default Title",
      sku: variant.sku ?? null,
      barcode: null,
      priceCents: variant.priceCents,
      compareAtPriceCents: null,
      taxable: variant.taxable ?? false,
      requiresShipping: variant.requiresShipping ?? false,
      weightGrams: variant.weightGrams ?? 0,
      inventoryItemId: nextId(data),
      inventoryQuantity: 0,
      selectedOptions: [{ name: optionName, value: titles[index] ?? "Default Title" }],
      createdAt: now,
      updatedAt: now,
    })),
  });
  publish(platform, shop, "products/create", productPayload(product, shop));
  return product;
}

/** The title as part of an address, with a number when another product has it. */
function freeHandle(platform: Platform, shop: ShopDocument, title: string): string {
  const base =
    title
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "-")
      .replaceAll(/^-|-$/g, "") || "product";
  const taken = new Set(
    platform.data.products
      .all()
      .filter((product) => product.shop === shop.id)
      .map((product) => product.handle),
  );
  for (let number = 0; ; number += 1) {
    const handle = number === 0 ? base : `${base}-${number}`;
    if (!taken.has(handle)) return handle;
  }
}
