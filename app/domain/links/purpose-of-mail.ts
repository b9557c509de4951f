import { gatherFacts, isVisible } from "../account/request-facts.ts";
import type { NotificationKind } from "../notifications/notification.ts";
import type { ReferralRequest } from "../requests/request.ts";
import type { Tenant } from "../tenant.ts";
import type { LinkPurpose } from "./link-purpose.ts";

/** What the link in each kind of mail is for. `next`: what the unit has to offer when the mail is sent. */
const PURPOSES: Record<NotificationKind, LinkPurpose | "next"> = {
  details_needed: "details",
  details_reminder: "details",
  correction_needed: "correction",
  correction_refused: "status",
  unit_for_you: "invitation",
  link_renewed: "next",
  correction_link: "correction",
  form_ready: "form",
  form_corrected: "form",
  results_available: "results",
};

/** The purpose of the link in a mail about this unit. */
export async function purposeOfMail(
  tenant: Tenant,
  request: ReferralRequest,
  kind: NotificationKind,
): Promise<LinkPurpose> {
  const purpose = PURPOSES[kind];
  return purpose === "next" ? nextPurpose(tenant, request) : purpose;
}

async function nextPurpose(tenant: Tenant, request: ReferralRequest): Promise<LinkPurpose> {
  if (request.state === "awaiting_details") return "details";
  const [facts] = await gatherFacts(tenant, [request]);
  if (!facts) return "status";
  if (facts.results.some(({ releasedAt }) => releasedAt !== null)) return "results";
  return facts.documents.some((document) => isVisible(document, facts)) ? "form" : "status";
}
