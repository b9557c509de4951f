import {
  detailsOf,
  errorsByField,
  PATIENT_FIELDS,
  type PatientErrors,
  type PatientValues,
  startingValues,
} from "../../../extensions/shared/patient-fields.ts";
import type { FieldError } from "../../modules/patients/patient-details.ts";

/** Reads the patient's form from a browser without script, as typed; missing fields are empty. */
export function readDetailsForm(form: FormData): PatientValues {
  const values = startingValues(null);
  for (const field of PATIENT_FIELDS) {
    const typed = form.get(field);
    // An answer longer than any answer is not shown again.
    if (typeof typed === "string") values[field] = typed.slice(0, 500);
  }
  values.consent = form.get("consent") === "yes";
  return values;
}

/**
 * Returns the details as the use case wants them. An empty answer is left out, so that it is asked for and not found
 * too short.
 */
export const detailsToSave = (values: PatientValues, needsMedicare: boolean): unknown =>
  withoutBlanks(detailsOf(values, needsMedicare));

export const faultsOf = (
  errors: FieldError[],
  needsMedicare: boolean,
): { errors: PatientErrors; others: string[] } => errorsByField(errors, needsMedicare);

function withoutBlanks(value: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]: [string, unknown]): [string, unknown][] => {
      if (part === "") return [];
      return [[name, typeof part === "object" && part !== null ? withoutBlanks(part) : part]];
    }),
  );
}
