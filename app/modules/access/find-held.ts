import type { ReferralRequest } from "../referrals/request.ts";
import { requireAccess } from "./link-access.ts";
import type { Opening } from "./link-purpose.ts";
import type { Tenant } from "./tenant.ts";
import { isOwner, type Viewer } from "./viewer.ts";

/**
 * The request, for the one who holds it. Null for everybody else, without telling why. Throws `LinkRefused` when the
 * viewer's link does not open this part of it.
 */
export async function findHeld(
  tenant: Tenant,
  { viewer, requestId, opening }: HeldTarget,
): Promise<ReferralRequest | null> {
  return ifHeld(await tenant.requests.find(requestId), viewer, opening);
}

interface HeldTarget {
  viewer: Viewer;
  requestId: string;
  opening: Opening;
}

/** The same, and it is neither handed over nor taken back, sent nor corrected until the transaction ends. */
export async function findHeldForUpdate(
  tenant: Tenant,
  { viewer, requestId, opening }: HeldTarget,
): Promise<ReferralRequest | null> {
  return ifHeld(await tenant.requests.findForUpdate(requestId), viewer, opening);
}

function ifHeld(request: ReferralRequest | null, viewer: Viewer, opening: Opening) {
  if (!request || !isOwner(request, viewer)) return null;
  requireAccess(viewer, request, opening);
  return request;
}
