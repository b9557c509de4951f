import { shopProof } from "../../app/platform/encryption/tenant-key.ts";
import type { TestDatabase } from "./database.ts";

/** The statement that begins a transaction for one shop, as the app begins it, and its values. */
export async function enterShop(db: TestDatabase, shop: string): Promise<[string, string[]]> {
  const proof = shopProof(await db.tenantKey(), shop);
  return ["SELECT enter_shop($1, $2), set_config('role', 'pathway_tenant', true)", [shop, proof]];
}
