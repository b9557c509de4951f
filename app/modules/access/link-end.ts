import { endOfSecret, SECRET_ENDS } from "../kernel/secret.ts";
import { mayAskForCorrection } from "../referrals/ask-for-correction.ts";
import { isUnsent, type ReferralRequest } from "../referrals/request.ts";
import { type AccessLink, stopsOf } from "./link.ts";
import { recipientEmail } from "./recipient-email.ts";
import type { Tenant } from "./tenant.ts";

/** Why a link lets nobody in any more. */
export const LINK_ENDS = [...SECRET_ENDS, "over", "moved", "left"] as const;
export type LinkEnd = (typeof LINK_ENDS)[number];

/** Why a link cannot be opened now; null while it can. Where its shop has left, nothing else matters: no other link follows. */
export async function endOf(tenant: Tenant, link: AccessLink, now: Date): Promise<LinkEnd | null> {
  if (stopsOf(link.kind)) return "revoked";
  if (!(await tenant.shops.find())?.installed) return "left";
  const end = endOfSecret(link, now);
  if (end) return end;
  const request = await findHeld(tenant, link);
  if (!request) return "revoked";
  if (!(await isMailedTo(tenant, link, request))) return "moved";
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
  if (!settings?.installed || stopsOf(link.kind)) return null;
  const request = await findHeld(tenant, link);
  return request && (await isMailedTo(tenant, link, request)) ? request : null;
}

/** The request of a link whose kind of reader still holds it. */
async function findHeld(
  tenant: Tenant,
  { kind, requestId }: AccessLink,
): Promise<ReferralRequest | null> {
  const request = await tenant.requests.find(requestId);
  return kind === "handover" && request?.owner !== "patient" ? null : request;
}

/** Whether the link was mailed to the address that its reader has now. */
async function isMailedTo(
  tenant: Tenant,
  { kind, recipient }: AccessLink,
  request: ReferralRequest,
): Promise<boolean> {
  if (!recipient) return true;
  const email = await recipientEmail(tenant, request, kind === "guest" ? "guest" : "patient");
  return email !== null && tenant.links.recipientOf(email).equals(recipient);
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
