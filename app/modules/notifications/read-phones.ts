import type { Actor } from "../kernel/timeline.ts";
import type { Tenant } from "../privacy/tenant.ts";
import type { ReferralRequest } from "../referrals/request.ts";
import { hasRight, roleOf } from "../shops/staff-role.ts";

/** Whom to ring about a unit whose mails are refused. */
export type PhoneToRing =
  /** The buyer's, as the order in Shopify has it: every member of staff sees it there. */
  | { kind: "buyer"; phone: string }
  | { kind: "patient"; phone: string }
  /** There is one, and it is not shown: to this member of staff's role, or in a list. */
  | { kind: "not_shown" }
  | { kind: "unknown" };

/**
 * Looks up whom to ring about these units; one whose mails arrive is left out. A patient's number comes from their details:
 * only some roles see it, and each look is in the access log, which the patient can read. Without a `reader` none is shown.
 */
export async function readPhones(
  tenant: Tenant,
  requests: readonly ReferralRequest[],
  { reader, now }: { reader: Actor | null; now: Date },
): Promise<Map<string, PhoneToRing>> {
  const found = new Map<string, PhoneToRing>();
  const refused = requests.filter(({ mailRefusedAt }) => mailRefusedAt);
  if (refused.length === 0) return found;
  const patients = await tenant.requests.patientsOf(refused.map(({ id }) => id));
  const role = reader && roleOf(await tenant.staff.find(reader));
  const actor = role && hasRight(role, "see_phones") ? reader : null;
  for (const { id, orderId, owner } of refused) {
    const buyer = owner === "buyer" ? (await tenant.orders.buyerOf(orderId))?.phone : null;
    const phone = patients.get(id)?.patient.phone;
    if (buyer) found.set(id, { kind: "buyer", phone: buyer });
    else if (!phone) found.set(id, { kind: "unknown" });
    else if (!actor) found.set(id, { kind: "not_shown" });
    else {
      found.set(id, { kind: "patient", phone });
      const look = { at: now, who: "staff", actor, what: "phone_viewed" } as const;
      await tenant.accessLog.add({ ...look, requestId: id });
    }
  }
  return found;
}
