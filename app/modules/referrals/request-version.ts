import type { ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import type { ReferralRequest } from "./request.ts";
import { reasonKey } from "./review-reason.ts";
import type { Tenant } from "./tenant.ts";

/** A person's wish about one request, from the page that shows it. */
export interface AskedOnPage {
  shop: ShopDomain;
  requestId: string;
  actor: Actor;
  /** The `requestVersion` that the page showed; null: wherever it stands. */
  seen?: string | null;
}

/** Names where a request stands: another text once it was sent, held, cancelled, kept, marked anew or marked as handled. */
export const requestVersion = ({
  state,
  attempt,
  resultReason,
  reviewReason,
  handledReason,
  kept,
}: Pick<
  ReferralRequest,
  "state" | "attempt" | "resultReason" | "reviewReason" | "handledReason" | "kept"
>): string =>
  [
    ...[state, attempt, resultReason, reviewReason && reasonKey(reviewReason)],
    // A colleague who marked it as handled may have ordered it by hand, and a patient who keeps it was told so.
    ...(handledReason ? ["handled", reasonKey(handledReason)] : []),
    ...(kept ? ["kept"] : []),
  ].join(" ");

/**
 * Whether a request stands elsewhere than the page showed (`seen`): what was asked before the click was about something
 * else. False when nobody says what the page showed. The request stays locked until the transaction ends.
 */
export async function standsElsewhere(
  tenant: Pick<Tenant, "requests">,
  requestId: string,
  seen: string | null,
): Promise<boolean> {
  if (seen === null) return false;
  const request = await tenant.requests.findForUpdate(requestId);
  return request !== null && requestVersion(request) !== seen;
}
