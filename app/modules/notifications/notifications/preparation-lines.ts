import { preparationSteps } from "../../access/preparation.ts";
import type { NotificationKind } from "../../kernel/notification.ts";
import type { Tenant } from "../../privacy/tenant.ts";
import type { ReferralRequest } from "../../referrals/request.ts";

/** With a form comes that there are steps to prepare. They stay on the page: they tell what was ordered. */
export async function preparationLines(
  tenant: Tenant,
  request: ReferralRequest,
  kind: NotificationKind,
): Promise<string[]> {
  if (kind !== "form_ready" && kind !== "form_corrected") return [];
  return (await preparationSteps(tenant, [request])).has(request.id) ? [PREPARE] : [];
}

const PREPARE =
  "There are steps to prepare before you go. Please read them beside the form, in good time.";
