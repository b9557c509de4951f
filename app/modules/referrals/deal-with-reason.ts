import type { Actor } from "../kernel/timeline.ts";
import { apply } from "./apply.ts";
import { recordResultReasons } from "./results/record-result-reasons.ts";
import { isResultReason, type ReviewReason } from "./review-reason.ts";
import type { Tenant } from "./tenant.ts";

/**
 * Records that a person has dealt with why a request needs one. Behind a critical result that was shown, another may be held: that
 * is told now.
 */
export async function dealWithReason(
  tenant: Tenant,
  requestId: string,
  reason: ReviewReason,
  by: { actor: Actor; at: Date },
): Promise<void> {
  const applied = await apply(tenant, requestId, { kind: "handled", reason }, by);
  if (applied && isResultReason(reason.code))
    await recordResultReasons(tenant, applied.request, { isShownNow: false, now: by.at });
}
