import type { ShopDomain } from "../kernel/ids.ts";
import type { BulkProgress } from "./bulk-run.ts";
import type { Ports } from "./ports.ts";

/** How far a bulk run has come; null when the shop has no such run. */
export async function readBulkRun(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, runId }: { shop: ShopDomain; runId: string },
): Promise<BulkProgress | null> {
  return tenancy.inShop(shop, (tenant) => tenant.bulkRuns.progress(runId));
}
