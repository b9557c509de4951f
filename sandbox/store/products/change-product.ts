import type { Platform } from "../platform.ts";
import type { ProductDocument } from "../state/product.ts";
import type { ShopDocument } from "../state/shop.ts";
import { productPayload } from "../webhooks/payloads/product.ts";
import { publish } from "../webhooks/publish.ts";

export type ProductChanges = Partial<
  Pick<
    ProductDocument,
    "title" | "descriptionHtml" | "vendor" | "productType" | "tags" | "status" | "variants"
  >
>;

/** Changes a product and tells the app: products/update. */
export function changeProduct(
  platform: Platform,
  shop: ShopDocument,
  product: ProductDocument,
  changes: ProductChanges,
): ProductDocument {
  const changed = platform.data.products.put({
    ...product,
    ...changes,
    updatedAt: platform.clock.nowIso(),
  });
  publish(platform, shop, "products/update", productPayload(changed, shop));
  return changed;
}

/** Deletes a product and tells the app: products/delete. Orders keep its name and lose the link. */
export function deleteProduct(
  platform: Platform,
  shop: ShopDocument,
  product: ProductDocument,
): void {
  platform.data.products.delete(product.id);
  publish(platform, shop, "products/delete", { id: product.id });
}
