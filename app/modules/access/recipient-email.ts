import type { ReferralRequest } from "../referrals/request.ts";
import type { Tenant } from "./tenant.ts";

/** Where a guest of the order, or the patient of the unit, is mailed now; null when nowhere. */
export async function recipientEmail(
  tenant: Tenant,
  { id, orderId }: Pick<ReferralRequest, "id" | "orderId">,
  kind: "guest" | "patient",
): Promise<string | null> {
  if (kind === "patient") return tenant.requests.invitedEmailOf(id);
  return (await tenant.orders.buyerOf(orderId))?.email ?? null;
}
