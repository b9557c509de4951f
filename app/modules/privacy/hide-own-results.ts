import { logAccess } from "../access/log-access.ts";
import { isOwner, type ViewerScope } from "../access/viewer.ts";
import type { Ports } from "./ports.ts";
import { repackExports } from "./privacy/repack-exports.ts";
import { requireRecord } from "./privacy/require-record.ts";

/**
 * Withdraws the consent of a unit's owner once there are results: nobody opens them any more, neither them, nor a
 * doctor they shared them with, nor staff. Nothing is deleted (`eraseOwnData` does that), and only they themselves undo it.
 * Results that still come are hidden too. False when it is not theirs, is cancelled, or changes nothing. Throws
 * `LinkRefused` before the mailed code was shown.
 */
export async function hideOwnResults(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, viewer, requestId, hide }: ViewerScope & { requestId: string; hide: boolean },
): Promise<boolean> {
  return tenancy.inShop(shop, async (tenant) => {
    const request = await tenant.requests.findForUpdate(requestId);
    if (!request || !isOwner(request, viewer)) return false;
    requireRecord(viewer, request);
    const isHidden = request.resultsHiddenAt !== null;
    if (request.state === "cancelled" || isHidden === hide) return false;
    const hasResults = (await tenant.results.forRequests([requestId])).length > 0;
    if (hide && !hasResults) return false;
    const at = clock.now();
    await tenant.requests.hideResults(requestId, hide ? at : null);
    await repackExports(tenant, { requestIds: [requestId], orderIds: [] });
    // Shown again, a result is shared again only where its owner wants it.
    if (hide)
      for (const { id } of await tenant.shares.forRequests([requestId]))
        await tenant.shares.revoke(id, at);
    const what = hide ? "results_hidden" : "results_shown_again";
    await logAccess(tenant, viewer, { what, requestId, at });
    const { orderId } = request;
    await tenant.timeline.add({ kind: what, actor: "shopper", at, orderId, requestId });
    return true;
  });
}
