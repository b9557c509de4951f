import type { ReferralRequest } from "../request.ts";
import { takeBack } from "../take-back.ts";
import type { Tenant } from "../tenant.ts";

/**
 * Gives up once more what has turned up for a cancelled request: the service made its referral later than anybody waits,
 * and its form can be used though nobody pays for it. The request counts as created again, and is taken back as if its
 * unit were given up now, so that the shop's policy decides about a refund. A redacted request stays as it is.
 */
export async function takeBackLate(
  tenant: Tenant,
  { id: requestId, orderId, withdrawnBy }: ReferralRequest,
  now: Date,
): Promise<void> {
  if (await tenant.requests.isRedacted(requestId)) return;
  const by = withdrawnBy ?? "store";
  // When it was cancelled there was nothing to decide about.
  const change = { attention: null, unwanted: by === "store", withdrawnBy: null };
  const created = await tenant.requests.move(requestId, ["cancelled"], "created", change);
  if (!created) return;
  const outcome = await takeBack(tenant, created, { by, actor: "pathway", now });
  if (by === "store" || outcome !== "kept") return;
  await tenant.requests.setAttention(requestId, "withdrawal_too_late");
  const entry = { actor: "pathway", at: now, orderId, requestId } as const;
  await tenant.timeline.add({ ...entry, kind: "withdrawal_too_late" });
}
