import { accessToRecord, LinkRefused } from "../../access/link-access.ts";
import type { Viewer } from "../../access/viewer.ts";
import type { ReferralRequest } from "../../referrals/request.ts";

/** Throws `LinkRefused` unless the viewer may decide about all that is held of the unit. */
export function requireRecord(viewer: Viewer, request: ReferralRequest): void {
  const access = accessToRecord(viewer, request);
  if (access !== "granted") throw new LinkRefused(access);
}
