import type { Actor } from "../kernel/timeline.ts";
import { apply } from "./apply.ts";
import type { Canceller } from "./cancellation.ts";
import type { CancellationOutcome } from "./ledger/events.ts";
import type { ReferralRequest } from "./request.ts";
import { mayBeElsewhere } from "./requests/other-client.ts";
import type { Tenant } from "./tenant.ts";
import { hasResults } from "./with-results.ts";

/**
 * Cancels one request: because the store took its unit back, or because staff cancel it. What certainly does
 * not exist at the service ends at once; what becomes of the rest is decided in ledger/cancel-moves.ts. Doing it twice
 * changes nothing.
 */
export async function cancelUnit(
  tenant: Tenant,
  { id }: Pick<ReferralRequest, "id">,
  { by, actor, now }: { by: Canceller; actor: Actor; now: Date },
): Promise<CancellationOutcome> {
  // A sender may claim it or report about it meanwhile: decided by the row as it is once it is locked.
  const request = await tenant.requests.findForUpdate(id);
  if (!request) return "nothing";
  const event = {
    kind: "cancellation_requested",
    by,
    hasResults: await hasResults(tenant, id),
    refundPolicy: (await tenant.shops.find())?.refundPolicy ?? "ask",
    mayBeElsewhere: await mayBeElsewhere(tenant, request),
  } as const;
  const applied = await apply(tenant, id, event, { actor, at: now });
  return applied?.step.outcome ?? "nothing";
}
