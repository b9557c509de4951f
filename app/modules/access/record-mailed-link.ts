import { isWaitingFor } from "../referrals/waiting-units.ts";
import { LINK_PURPOSES, type LinkPurpose } from "./link-purpose.ts";
import type { Tenant } from "./tenant.ts";

/**
 * Returns the purposes that a newer link of a unit replaces. Only results replace results: the mail about the form
 * can be sent after the one about the results.
 */
const replacedBy = (purpose: LinkPurpose): LinkPurpose[] =>
  LINK_PURPOSES.filter((one) => one !== "results" || purpose === "results");

/**
 * Records that a link was mailed, and ends the older links of the same unit and recipient. A guest's link for details is for
 * the whole order: a newer one replaces it, and so does any link of the last unit that still waits for details. `since`: when the
 * same mail was tried first, and may have arrived. Its reader may have that copy alone, so the links of all copies open.
 */
export async function recordMailedLink(
  tenant: Tenant,
  linkId: string,
  { at: now, since }: { at: Date; since: Date | null },
): Promise<void> {
  const found = await tenant.links.find(linkId);
  const request = found && (await tenant.requests.find(found.requestId));
  if (!found || !request) return;
  const link = since ? { ...found, createdAt: since } : found;
  await tenant.links.markMailed(linkId, now);
  const { orderId, lineItemId, unit } = request;
  const order = await tenant.requests.forOrder(orderId);
  const isOwn = (one: { lineItemId: string; unit: number }) =>
    one.lineItemId === lineItemId && one.unit === unit;
  const ofOrder = order.map(({ id }) => id);
  const ofUnit = order.filter(isOwn).map(({ id }) => id);
  if (link.kind !== "guest") {
    const older = { requestIds: ofUnit, purposes: replacedBy(link.purpose) };
    return tenant.links.supersede(link, older, now);
  }
  const isForOrder = link.purpose === "details";
  if (!isForOrder) {
    const purposes = replacedBy(link.purpose).filter((one) => one !== "details");
    const older = { requestIds: ofUnit, purposes };
    await tenant.links.supersede(link, older, now);
  }
  const others = order.filter((one) => isWaitingFor(one, "buyer") && !isOwn(one));
  if (isForOrder || others.length === 0)
    await tenant.links.supersede(link, { requestIds: ofOrder, purposes: ["details"] }, now);
}
