import { apply } from "../apply.ts";
import { cancelUnit } from "../cancel-unit.ts";
import type { ReferralRequest } from "../request.ts";
import type { Tenant } from "../tenant.ts";

/**
 * Cancels once more a request whose referral has turned up since: the service made it later than anybody waits, and its
 * form can be used though nobody pays for it. The request counts as created again and is cancelled as if that were asked
 * for now, so that the shop's policy decides about a refund. A redacted request stays as it is.
 */
export async function cancelLate(
  tenant: Tenant,
  { id: requestId, cancellation }: ReferralRequest,
  now: Date,
): Promise<void> {
  if (await tenant.requests.isRedacted(requestId)) return;
  const by = cancellation?.requestedBy ?? "store";
  const applied = await apply(
    tenant,
    requestId,
    { kind: "turned_up" },
    { actor: "pathway", at: now },
  );
  if (!applied) return;
  const outcome = await cancelUnit(tenant, applied.request, { by, actor: "pathway", now });
  if (by === "store" || outcome !== "kept") return;
  const event = { kind: "withdrawal_too_late", wasStores: false } as const;
  await apply(tenant, requestId, event, { actor: "pathway", at: now });
}
