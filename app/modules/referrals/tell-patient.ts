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
  const [buyer, units] = await together(
    () => tenant.orders.buyerOf(orderId),
    () => tenant.requests.forOrder(orderId),
  );
  if (!buyer || isTheirs(buyer.email)) return;
  const ids = units.map((one) => one.id);
  const told = await tenant.notifications.noted(ids, "details_given");
  const here = told.filter(({ requestId }) => requestId === id);
  const others = told.flatMap(({ requestId }) => (requestId === id ? [] : [requestId]));
  const patients = await tenant.requests.patientsOf(others);
  if ([...patients.values()].some((one) => isTheirs(one.patient.email))) return;
  // An email that is still to go out goes to the address of then.
  if (here.some(({ isSent }) => !isSent) || (here.length > 0 && isTheirs(before?.email))) return;
  const occurrence = here.length > 0 ? String(now.getTime()) : "";
  const due = { requestId: id, kind: "details_given", occurrence } as const;
  // The code above has looked at what is noted already.
  await tenant.notifications.noteOnce(due, now);
  await tenant.jobs.enqueue({ name: "send-mail", shop: tenant.shop, ...due });
}
