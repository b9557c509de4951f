import { tidyCardNumber, tidyDvaNumber, withReference } from "../patients/medicare-number.ts";
import type { MedicareCard, Patient } from "../patients/patient.ts";
import {
  type FieldError,
  inReadingOrder,
  type PatientRules,
  readPatientDetails,
} from "../patients/patient-details.ts";
import { apply } from "./apply.ts";
import { isFormClosed } from "./form-closed.ts";
import { confirmGiven, recordUnderAge } from "./record-under-age.ts";
import { isCurrent, type StoredReferral } from "./referral-repository.ts";
import type { ReferralRequest } from "./request.ts";
import type { ReferralStatus } from "./snapshots.ts";
import type { Tenant } from "./tenant.ts";

export type CorrectDetailsOutcome =
  | { kind: "saved"; requestId: string }
  | { kind: "invalid"; errors: FieldError[] }
  /** The referral can't be changed any more. */
  | { kind: "too_late" };

/**
 * Statuses in which details can still be corrected. Only CREATED and ISSUED take a PATCH (interface §4.2); in
 * the other two the correction is kept and passed on once the form is issued.
 */
const CORRECTABLE: ReadonlySet<string> = new Set<ReferralStatus>([
  "CREATED",
  "ISSUED",
  "SCHEDULED_REISSUE",
  "PENDING_VERIFICATION",
]);

/** Whether the patient's details may be corrected after they were ordered with. */
export function mayCorrect(
  request: Pick<ReferralRequest, "state" | "cancellation" | "kept" | "replacedBy" | "hasPatient">,
  referrals: StoredReferral[],
): boolean {
  const { state, replacedBy, hasPatient } = request;
  if (state !== "created" || isFormClosed(request) || replacedBy || !hasPatient) return false;
  const current = referrals.filter(isCurrent);
  return current.length > 0 && current.every(({ status }) => CORRECTABLE.has(status));
}

/**
 * Takes a correction of the patient's details of a referral that exists. It is on disk, sealed, before anybody
 * is told; a job then passes it on to every referral of the request. The Medicare card cannot be corrected:
 * the interface takes it with the order only (§4.2, PATCH).
 */
export async function correctPatientDetails(
  tenant: Tenant,
  input: {
    request: ReferralRequest;
    details: unknown;
    rules: Omit<PatientRules, "needsMedicare">;
    /** Faults that are none of the details themselves. */
    otherFaults?: FieldError[];
  },
): Promise<CorrectDetailsOutcome> {
  const { id: requestId } = input.request;
  const { today: now } = input.rules;
  // Two corrections at once get two numbers.
  const request = await tenant.requests.findForUpdate(requestId);
  const referrals = await tenant.referrals.forRequests([requestId]);
  if (!request || !mayCorrect(request, referrals)) return { kind: "too_late" };
  const before = await tenant.requests.patientOf(requestId);
  const reading = readPatientDetails(input.details, { ...input.rules, needsMedicare: false });
  if (reading.kind === "invalid" && reading.isUnderAge)
    await recordUnderAge(tenant, requestId, now);
  const latest = (await tenant.corrections.pending(requestId))?.patient ?? before?.patient;
  const errors = inReadingOrder([
    ...(input.otherFaults ?? []),
    ...(reading.kind === "invalid" ? reading.errors : nameFaults(reading.patient, latest)),
    ...(before?.medicare ? cardFaults(input.details, before.medicare) : []),
  ]);
  if (reading.kind === "invalid" || errors.length > 0) return { kind: "invalid", errors };
  const { patient } = reading;
  // A new form for nothing new would only make the old one worthless.
  if (JSON.stringify(latest) === JSON.stringify(patient)) {
    await confirmGiven(tenant, requestId, now);
    return { kind: "saved", requestId };
  }
  const number = await tenant.corrections.add(requestId, patient, now);
  const event = { kind: "correction_given", correction: number } as const;
  await apply(tenant, requestId, event, { actor: "shopper", at: now });
  await tenant.jobs.enqueue({ name: "correct-referrals", shop: tenant.shop, requestId });
  return { kind: "saved", requestId };
}

/** A PATCH takes no shorter name (interface §4.2), though a create does. A name that stays is left out of it. */
const MIN_CORRECTED_NAME = 2;

function nameFaults(patient: Patient, latest: Patient | undefined): FieldError[] {
  const fields = { firstName: "first name", lastName: "last name" } as const;
  return (["firstName", "lastName"] as const)
    .filter((field) => patient[field].length < MIN_CORRECTED_NAME)
    .filter((field) => patient[field] !== latest?.[field])
    .map((field) => ({
      field,
      message: `A corrected ${fields[field]} needs at least ${MIN_CORRECTED_NAME} characters. If it really is shorter, contact the shop.`,
    }));
}

/** A card that is given again must be the one that was ordered with. */
function cardFaults(
  details: unknown,
  { medicareCardNumber, dvaNumber }: MedicareCard,
): FieldError[] {
  const given = (field: string) => {
    const value = details !== null && typeof details === "object" && Reflect.get(details, field);
    return typeof value === "string" ? value : "";
  };
  const advice =
    "can’t be changed after the test was ordered. Contact the shop: it can order anew.";
  const card = withReference(
    tidyCardNumber(given("medicareCardNumber")),
    given("medicareIrn").trim(),
  );
  const dva = tidyDvaNumber(given("dvaNumber"));
  return [
    ...(card && card !== medicareCardNumber
      ? [{ field: "medicareCardNumber", message: `The Medicare card number ${advice}` }]
      : []),
    ...(dva && dva !== tidyDvaNumber(dvaNumber ?? "")
      ? [{ field: "dvaNumber", message: `The DVA file number ${advice}` }]
      : []),
  ];
}
