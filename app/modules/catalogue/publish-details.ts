import type { ProductId, ShopDomain } from "../kernel/ids.ts";
import { inPages } from "../kernel/in-pages.ts";
import { isOfOtherStore } from "../shops/store-doubt.ts";
import { productDetails } from "./mappings/details/product-details.ts";
import type { Ports } from "./ports.ts";
import type { Tenant } from "./tenant.ts";

export type PublishOutcome =
  | "published"
  | "same"
  | "gone"
  | "refused"
  | "not_installed"
  | "other_store";

/**
 * Brings the product's page in line with the mapping of its variants, in the environment that new orders go
 * to. The page is written only when it says something else; a refusal is kept for the merchant to see.
 */
export async function publishProduct(
  { tenancy, storeProducts, clock }: Pick<Ports, "tenancy" | "storeProducts" | "clock">,
  { shop, productId }: { shop: ShopDomain; productId: ProductId },
): Promise<PublishOutcome> {
  const { wanted, published, installed, isOthers } = await tenancy.inShop(shop, async (tenant) => ({
    wanted: await wantedDetails(tenant, productId),
    published: await tenant.publishedDetails.find(productId),
    installed: (await tenant.shops.find())?.installed ?? false,
    isOthers: await isOfOtherStore(tenant),
  }));
  if (!installed) return "not_installed";
  // Another store lacks the product, which would be kept as "not on its page any more".
  if (isOthers) return "other_store";
  if (!published?.failure && (published?.value ?? null) === wanted) return "same";
  const outcome = await storeProducts.publish(shop, productId, wanted);
  const isRefused = outcome.kind === "refused";
  await tenancy.inShop(shop, (tenant) =>
    tenant.publishedDetails.save(
      productId,
      {
        value: isRefused ? (published?.value ?? null) : outcome.kind === "gone" ? null : wanted,
        failure: isRefused ? outcome.code : null,
      },
      clock.now(),
    ),
  );
  return outcome.kind;
}

/** After the catalogue or the environment changed: every page is looked at again. */
export async function publishAllIn(tenant: Tenant): Promise<void> {
  for (const productId of await inPages<ProductId>((page) =>
    tenant.publishedDetails.products(page),
  ))
    await tenant.jobs.enqueue({ name: "publish-product", shop: tenant.shop, productId });
}

/** The same when the merchant asks for it: what was refused is tried again. */
export async function publishAll(
  { tenancy }: Pick<Ports, "tenancy">,
  shop: ShopDomain,
): Promise<void> {
  await tenancy.inShop(shop, publishAllIn);
}

async function wantedDetails(tenant: Tenant, productId: ProductId): Promise<string | null> {
  const environment = (await tenant.shops.find())?.environment ?? "staging";
  const catalogue = await tenant.catalogues.find(environment);
  if (!catalogue) return null;
  const known = await tenant.storeVariants.ofProduct({ environment, catalogue }, productId);
  const variants = known.flatMap(({ mapping, variantTitle, isDeleted }) =>
    mapping?.kind === "order" && !isDeleted ? [{ title: variantTitle, items: mapping.items }] : [],
  );
  const details = productDetails(variants, catalogue);
  return details && JSON.stringify(details);
}
