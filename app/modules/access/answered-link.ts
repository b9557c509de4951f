import type { RequestState } from "../referrals/request.ts";
import { isLinkAnswered } from "./link-access.ts";
import type { Ports } from "./ports.ts";
import { requestsOf, type ViewerScope } from "./viewer.ts";

/**
 * The state of a unit for whose details the viewer's link asked, once it is over because they were given or the unit was
 * cancelled. Null for every other unit and link.
 */
export async function stateOfAnswered(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, viewer, requestId }: ViewerScope & { requestId: string },
): Promise<RequestState | null> {
  return tenancy.inShop(shop, async (tenant) => {
    const request = (await requestsOf(tenant, viewer)).find(({ id }) => id === requestId);
    return request && isLinkAnswered(viewer, request) ? request.state : null;
  });
}
