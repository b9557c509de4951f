import type { ProductId } from "../../kernel/ids.ts";
import type { Tenant } from "../tenant.ts";

/**
 * A product was made, changed or deleted in the store. The message may be old, so the product is read again:
 * what the store then says replaces our copy of it, and a product that is not there any more has gone.
 */
export async function productChanged(tenant: Tenant, productId: ProductId): Promise<void> {
  const isInstalled = (await tenant.shops.find())?.installed ?? false;
  // Without a session nothing can be read; the first visit to the app reads everything.
  if (isInstalled)
    await tenant.jobs.enqueue({ name: "reread-product", shop: tenant.shop, productId });
}
