import type { NotificationKind, StaffKind } from "../kernel/notification.ts";
import type { ReferralRequest } from "../referrals/request.ts";
import { gatherFacts, isVisible } from "../referrals/request-facts.ts";
import type { LinkPurpose } from "./link-purpose.ts";
import type { Tenant } from "./tenant.ts";

/** The purpose of the link in each kind of mail. `next`: the unit's next step when the mail is sent. */
const PURPOSES: Record<Exclude<NotificationKind, StaffKind>, LinkPurpose | "next"> = {
  details_needed: "details",
  details_reminder: "details",
  correction_needed: "correction",
  correction_refused: "status",
  unit_for_you: "invitation",
  link_renewed: "next",
  correction_link: "correction",
  order_delayed: "status",
  form_ready: "form",
  form_corrected: "form",
  results_available: "results",
  results_today: "results",
  ring_today: "status",
  state_changed: "next",
  details_given: "status",
  results_elsewhere: "status",
};

/** The purpose of the link in a mail about this unit. */
export async function purposeOfMail(
  tenant: Tenant,
  request: ReferralRequest,
  kind: Exclude<NotificationKind, StaffKind>,
): Promise<LinkPurpose> {
  const purpose = PURPOSES[kind];
  return purpose === "next" ? nextPurpose(tenant, request) : purpose;
}

/** By all generations of the unit: the request that the link was mailed for may have been replaced. */
async function nextPurpose(
  tenant: Tenant,
  { orderId, lineItemId, unit, owner }: ReferralRequest,
): Promise<LinkPurpose> {
  const order = await tenant.requests.forOrder(orderId);
  const own = order.filter((one) => one.lineItemId === lineItemId && one.unit === unit);
  const waits = (one: ReferralRequest) => one.state === "awaiting_details" && one.owner === owner;
  if (own.some(waits)) return "details";
  const all = await gatherFacts(tenant, own);
  if (all.some(({ results }) => results.some(({ releasedAt }) => releasedAt !== null)))
    return "results";
  if (all.some((facts) => facts.documents.some((document) => isVisible(document, facts))))
    return "form";
  return owner === "buyer" && order.some(waits) ? "details" : "status";
}
