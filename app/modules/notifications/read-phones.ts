import type { Actor } from "../kernel/timeline.ts";
import type { Tenant } from "../privacy/tenant.ts";
import type { ReferralRequest } from "../referrals/request.ts";
import { FINDING_REASONS } from "../referrals/urgency.ts";
import { hasRight, roleOf } from "../shops/staff-role.ts";
import { logLooks } from "./log-looks.ts";

/** Whom to ring about a unit, and why. */
export type PhoneToRing = {
  /** Emails are refused, or a result of it is held or is to be talked about today. */
  why: "refused" | "result";
} & (
  | /** The buyer's, as the order in Shopify has it: every member of staff sees it there. */
  { kind: "buyer"; phone: string }
  | { kind: "patient"; phone: string }
  /** There is one, and it is not shown: to this member of staff's role, or in a list. */
  | { kind: "not_shown" }
  | { kind: "unknown" }
);

/**
 * Looks up whom to ring about these units: those whose mails are refused, and those with a result that somebody is to tell its
 * patient (docs/decisions/0158); others are left out. A patient's number comes from their details: only some roles see it, and
 * looks are in the access log, which the patient can read. Without a `reader` none is shown.
 */
export async function readPhones(
  tenant: Tenant,
  requests: readonly ReferralRequest[],
  { reader, now }: { reader: Actor | null; now: Date },
): Promise<Map<string, PhoneToRing>> {
  const found = new Map<string, PhoneToRing>();
  const toRing = requests.filter((one) => one.mailRefusedAt !== null || isToBeTold(one));
  if (toRing.length === 0) return found;
  const patients = await tenant.requests.patientsOf(toRing.map(({ id }) => id));
  const role = reader && roleOf(await tenant.staff.find(reader));
  const actor = role && hasRight(role, "see_phones") ? reader : null;
  const seen: string[] = [];
  for (const request of toRing) {
    const { id, orderId, owner } = request;
    const why = request.mailRefusedAt === null ? "result" : "refused";
    const phone = patients.get(id)?.patient.phone;
    // The buyer typed the address of an invitation that does not arrive, and can send another.
    const isBuyers = owner === "buyer" || (!phone && !isToBeTold(request));
    const buyers = isBuyers ? (await tenant.orders.buyerOf(orderId))?.phone : null;
    // A result is its patient's, whoever bought the test. Emails are the buyer's.
    if (phone && actor && (isToBeTold(request) || !buyers)) {
      found.set(id, { kind: "patient", phone, why });
      seen.push(id);
    } else if (buyers) found.set(id, { kind: "buyer", phone: buyers, why });
    else found.set(id, { kind: phone ? "not_shown" : "unknown", why });
  }
  if (actor && seen.length > 0) await logLooks(tenant, seen, { actor, now, what: "phone_viewed" });
  return found;
}

/** Whether a result waits for somebody to ring its patient: it is held, or should be talked about today. */
const isToBeTold = ({ reason }: ReferralRequest): boolean =>
  FINDING_REASONS.has(reason?.code ?? "");
