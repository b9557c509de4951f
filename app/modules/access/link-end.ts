import { endOfSecret, SECRET_ENDS } from "../kernel/secret.ts";
import { mayAskForCorrection } from "../referrals/ask-for-correction.ts";
import { isUnsent, type ReferralRequest } from "../referrals/request.ts";
import { type AccessLink, stopsOf } from "./link.ts";
import { recipientEmail } from "./recipient-email.ts";
import type { Tenant } from "./tenant.ts";

/** Why a link lets nobody in any more. */
export const LINK_ENDS = [...SECRET_ENDS, "over"] as const;
export type LinkEnd = (typeof LINK_ENDS)[number];

/** Why a link cannot be opened now; null while it can. */
export async function endOf(tenant: Tenant, link: AccessLink, now: Date): Promise<LinkEnd | null> {
  if (stopsOf(link.kind)) return "revoked";
  const end = endOfSecret(link, now);
  if (end) return end;
  const request = await findLinked(tenant, link);
  if (!request) return "revoked";
  return (await isOver(tenant, link, request)) ? "over" : null;
}

/**
 * The request that a link was mailed for. Null while the shop has uninstalled the app, when the unit went back to its
 * buyer, and when the recipient has another address now.
 */
export async function findLinked(
  tenant: Tenant,
  link: AccessLink,
): Promise<ReferralRequest | null> {
  const settings = await tenant.shops.find();
  const request = await tenant.requests.find(link.requestId);
  if (!settings?.installed || !request || stopsOf(link.kind)) return null;
  if (link.kind === "handover" && request.owner !== "patient") return null;
  if (!link.recipient) return request;
  const kind = link.kind === "guest" ? "guest" : "patient";
  const email = await recipientEmail(tenant, request, kind);
  return email && tenant.links.recipientOf(email).equals(link.recipient) ? request : null;
}

/** Whether there is nothing left of what the link was mailed for. */
export async function isOver(
  tenant: Tenant,
  { kind, purpose }: AccessLink,
  request: ReferralRequest,
): Promise<boolean> {
  switch (purpose) {
    case "details":
    case "invitation": {
      const units = kind === "guest" ? await tenant.requests.forOrder(request.orderId) : [request];
      return !units.some(isUnsent);
    }
    case "correction":
      return !mayAskForCorrection(request, await tenant.referrals.forRequests([request.id]));
    case "form":
    case "results":
    case "status":
    case "stop":
      return false;
  }
}
