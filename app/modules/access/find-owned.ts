import type { ReferralRequest } from "../referrals/request.ts";
import { requireAccess } from "./link-access.ts";
import type { Opening } from "./link-purpose.ts";
import type { Tenant } from "./tenant.ts";
import { isOwner, type Viewer } from "./viewer.ts";

/**
 * The request, for its owner. Null for everybody else, without telling why. Throws `LinkRefused` when the
 * viewer's link does not open this part of it.
 */
export async function findOwned(
  tenant: Tenant,
  { viewer, requestId, opening }: OwnedTarget,
): Promise<ReferralRequest | null> {
  return ifOwned(await tenant.requests.find(requestId), viewer, opening);
}

interface OwnedTarget {
  viewer: Viewer;
  requestId: string;
  opening: Opening;
}

/**
 * The same with the request locked: until the transaction ends nobody invites its patient, revokes the invitation, sends it
 * or corrects it.
 */
export async function findOwnedForUpdate(
  tenant: Tenant,
  { viewer, requestId, opening }: OwnedTarget,
): Promise<ReferralRequest | null> {
  return ifOwned(await tenant.requests.findForUpdate(requestId), viewer, opening);
}

function ifOwned(request: ReferralRequest | null, viewer: Viewer, opening: Opening) {
  if (!request || !isOwner(request, viewer)) return null;
  requireAccess(viewer, request, opening);
  return request;
}
