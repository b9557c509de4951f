import {
  detailsOf,
  errorsByField,
  PATIENT_FIELDS,
  type PatientErrors,
  type PatientValues,
  startingValues,
} from "../../../extensions/shared/patient-fields.ts";
import type { FieldError } from "../../modules/patients/patient-details.ts";

/** What a browser without script sent of the patient's form, as typed; missing fields are empty. */
export function readDetailsForm(form: FormData): PatientValues {
  const values = startingValues(null);
  for (const field of PATIENT_FIELDS) {
    const typed = form.get(field);
    // What is longer than any answer is not kept to be shown again.
    if (typeof typed === "string") values[field] = typed.slice(0, 500);
  }
  values.consent = form.get("consent") === "yes";
  return values;
}

/** As the use case wants it. An empty answer is left out, so that it is asked for and not found too short. */
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
