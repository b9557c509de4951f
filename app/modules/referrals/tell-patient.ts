import { together } from "../../platform/together.ts";
import type { Patient } from "../patients/patient.ts";
import type { ReferralRequest } from "./request.ts";
import type { Tenant } from "./tenant.ts";

/**
 * Tells a patient, once for an order, that its buyer gave their details and will see what follows. Somebody who gave their
 * own address is the buyer themselves, or reads the buyer's mail. An address that was corrected after its email went out is
 * told too: a stranger may have read the first one. Call it after `patient` was saved; `before` is what stood there.
 */
export async function tellPatient(
  tenant: Tenant,
  { id, orderId, owner }: Pick<ReferralRequest, "id" | "orderId" | "owner">,
  { patient, before, now }: { patient: Patient; before: Patient | null; now: Date },
): Promise<void> {
  if (owner !== "buyer") return;
  const { email } = patient;
  const isTheirs = (other: string | null | undefined) =>
    other?.toLowerCase() === email.toLowerCase();
  const [buyer, units, here] = await together(
    () => tenant.orders.buyerOf(orderId),
    () => tenant.requests.forOrder(orderId),
    () => tenant.notifications.noted([id], "details_given"),
  );
  if (!buyer || isTheirs(buyer.email)) return;
  const others = units.flatMap((one) => (one.id === id ? [] : [one.id]));
  if (await isAnyToldAt(tenant, others, isTheirs)) return;
  // An email that is still to go out goes to the address of then.
  if (here.some(({ isSent }) => !isSent) || (here.length > 0 && isTheirs(before?.email))) return;
  const occurrence = here.length > 0 ? String(now.getTime()) : "";
  const due = { requestId: id, kind: "details_given", occurrence } as const;
  // The code above has looked at what is noted already.
  await tenant.notifications.noteOnce(due, now);
  await tenant.jobs.enqueue({ name: "send-mail", shop: tenant.shop, ...due });
}

/** Whether an email about one of these tests has such an address. */
async function isAnyToldAt(
  { notifications, requests }: Tenant,
  requestIds: string[],
  isTheirs: (email: string) => boolean,
): Promise<boolean> {
  if (requestIds.length === 0) return false;
  const told = await notifications.noted(requestIds, "details_given");
  const patients = await requests.patientsOf(told.map(({ requestId }) => requestId));
  return [...patients.values()].some(({ patient }) => isTheirs(patient.email));
}
