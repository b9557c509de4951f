import type { ReferralRequest } from "../referrals/request.ts";
import { isWaitingFor } from "../referrals/waiting-units.ts";
import type { AccessLink } from "./link.ts";
import { LINK_PURPOSES, type LinkPurpose } from "./link-purpose.ts";
import type { Tenant } from "./tenant.ts";

/**
 * Returns the purposes that a newer link of a unit replaces. Only results replace results: the mail about the form
 * can be sent after the one about the results.
 */
const replacedBy = (purpose: LinkPurpose): LinkPurpose[] =>
  LINK_PURPOSES.filter((one) => one !== "results" || purpose === "results");

/**
 * Records that the links of one mail were mailed, and ends the older links of the same units and recipient. A guest's link for
 * details is for the whole order: a newer one replaces it, and so does any link of the last unit that still waits for details.
 * `since`: when the same mail was tried first, and may have arrived. Its reader may have that copy alone, so the links of all
 * copies open.
 */
export async function recordMailedLinks(
  tenant: Tenant,
  linkIds: readonly string[],
  { at: now, since }: { at: Date; since: Date | null },
): Promise<void> {
  const links: AccessLink[] = [];
  for (const id of linkIds) {
    const found = await tenant.links.find(id);
    if (found) links.push(since ? { ...found, createdAt: since } : found);
  }
  const [first] = links;
  const request = first && (await tenant.requests.find(first.requestId));
  if (!request) return;
  await tenant.links.markMailed(linkIds, now);
  const order = await tenant.requests.forOrder(request.orderId);
  for (const link of links)
    for (const older of replacedLinks(link, order))
      await tenant.links.supersede(link, { ...older, besides: linkIds }, now);
}

/** The older links that one replaces: of which requests of the order, and for which purposes. */
function replacedLinks(
  { kind, purpose, requestId }: AccessLink,
  order: readonly ReferralRequest[],
): { requestIds: string[]; purposes: LinkPurpose[] }[] {
  const request = order.find(({ id }) => id === requestId);
  if (!request) return [];
  const isOwn = (one: ReferralRequest) =>
    one.lineItemId === request.lineItemId && one.unit === request.unit;
  const ofUnit = order.filter(isOwn).map(({ id }) => id);
  if (kind !== "guest") return [{ requestIds: ofUnit, purposes: replacedBy(purpose) }];
  const isForOrder = purpose === "details";
  const waits = (one: ReferralRequest) => isWaitingFor(one, "buyer") && !isOwn(one);
  const details = { requestIds: order.map(({ id }) => id), purposes: ["details" as const] };
  const others = replacedBy(purpose).filter((one) => one !== "details");
  return [
    ...(isForOrder ? [] : [{ requestIds: ofUnit, purposes: others }]),
    ...(isForOrder || !order.some(waits) ? [details] : []),
  ];
}
