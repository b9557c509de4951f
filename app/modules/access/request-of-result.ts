import { findOwned } from "./find-owned.ts";
import type { Ports } from "./ports.ts";
import type { ViewerScope } from "./viewer.ts";

/**
 * The id of the request that a released result is of, for the one who holds it: a request may have several. Null for everybody
 * else and before. Throws `LinkRefused` when the viewer's link does not open results.
 */
export async function requestOfResult(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, viewer, resultId }: ViewerScope & { resultId: string },
): Promise<string | null> {
  return tenancy.inShop(shop, async (tenant) => {
    const stored = await tenant.results.find(resultId);
    if (!stored?.releasedAt) return null;
    const { requestId } = stored;
    const request = await findOwned(tenant, { viewer, requestId, opening: "results" });
    if (!request || request.state === "cancelled" || request.resultsHiddenAt) return null;
    return request.id;
  });
}
