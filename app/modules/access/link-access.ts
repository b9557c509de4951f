import { AppError } from "../../platform/errors.ts";
import { isUnsent, type ReferralRequest } from "../referrals/request.ts";
import { OPENED_BY, type Opening } from "./link-purpose.ts";
import type { Viewer } from "./viewer.ts";

/** Whether a viewer who holds the unit may open this part of it by the way they came. */
export type Access = "granted" | "step_up_required" | "other_purpose";

/**
 * The one rule of what a mailed link opens. A link opens what it was mailed for, of the unit that it was mailed for.
 * Results need the mailed code besides. A link that asks for details ends when the referral is ordered. A signed-in
 * customer needs no link.
 */
export function accessOf(viewer: Viewer, request: ReferralRequest, opening: Opening): Access {
  if (viewer.kind === "customer") return "granted";
  const { purpose, steppedUpAt } = viewer.link;
  if (!OPENED_BY[purpose].includes(opening) || !isCovered(viewer, request)) return "other_purpose";
  if (isLinkAnswered(viewer, request)) return "other_purpose";
  return purpose === "results" && steppedUpAt === null ? "step_up_required" : "granted";
}

/** The same for each part of the unit. */
export function accessTo(viewer: Viewer, request: ReferralRequest): Record<Opening, Access> {
  return {
    details: accessOf(viewer, request, "details"),
    form: accessOf(viewer, request, "form"),
    results: accessOf(viewer, request, "results"),
  };
}

/** Whether the viewer's link asked for details of this unit that have been ordered with, so that it is over. */
export function isLinkAnswered(viewer: Viewer, request: ReferralRequest): boolean {
  if (viewer.kind === "customer" || isUnsent(request) || !isCovered(viewer, request)) return false;
  return viewer.link.purpose === "details" || viewer.link.purpose === "invitation";
}

/**
 * Whether the viewer may take or delete all that is held of the unit, as far as their link opens it. This needs the mailed
 * code whatever the link was for: the code shows that the link is in its recipient's hands.
 */
export function accessToRecord(viewer: Viewer, request: ReferralRequest): Access {
  if (viewer.kind === "customer") return "granted";
  if (!isCovered(viewer, request)) return "other_purpose";
  return viewer.link.steppedUpAt === null ? "step_up_required" : "granted";
}

/** Throws `LinkRefused` unless access is granted. */
export function requireAccess(viewer: Viewer, request: ReferralRequest, opening: Opening): void {
  const access = accessOf(viewer, request, opening);
  if (access !== "granted") throw new LinkRefused(access);
}

/** The viewer holds the unit, but the link they came by does not open this. Says nothing that the viewer must not know. */
export class LinkRefused extends AppError {
  readonly code: Exclude<Access, "granted">;
  readonly retryable = false;

  constructor(reason: Exclude<Access, "granted">) {
    super(reason);
    this.name = "LinkRefused";
    this.code = reason;
  }
}

/** A guest's link for details is for the order. Every other link is for its unit, whatever generation. */
function isCovered(viewer: Exclude<Viewer, { kind: "customer" }>, request: ReferralRequest) {
  const { purpose, unit } = viewer.link;
  if (viewer.kind === "guest" && purpose === "details") return true;
  return unit.lineItemId === request.lineItemId && unit.unit === request.unit;
}
