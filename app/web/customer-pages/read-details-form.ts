import {
  detailsOf,
  PATIENT_FIELDS,
  type PatientValues,
  startingValues,
} from "../../../extensions/shared/patient-fields.ts";
import type { Answers } from "../../modules/access/draft.ts";
import { joinBirthParts } from "./birth-parts.ts";

/** Reads the patient's form from a browser without script, as typed; missing fields are empty. */
export function readDetailsForm(form: FormData): PatientValues {
  const values = startingValues(null);
  for (const field of PATIENT_FIELDS) values[field] = typedIn(form, field);
  values.dob = joinBirthParts({
    day: typedIn(form, "dob.day"),
    month: typedIn(form, "dob.month"),
    year: typedIn(form, "dob.year"),
  });
  values.hasOneName = form.get("hasOneName") === "yes";
  values.consent = form.get("consent") === "yes";
  return values;
}

/** What was typed, to be kept until it is accepted. Consent is given anew each time. */
export function answersOf(values: PatientValues): Answers {
  const typed = PATIENT_FIELDS.map((field) => [field, values[field]] as const);
  return Object.fromEntries([...typed, ["hasOneName", values.hasOneName ? "yes" : ""]]);
}

/** The form with what was kept. */
export function valuesOf(answers: Answers): PatientValues {
  const values = startingValues(null);
  for (const field of PATIENT_FIELDS) values[field] = answers[field] ?? "";
  values.hasOneName = answers.hasOneName === "yes";
  return values;
}

function typedIn(form: FormData, name: string): string {
  const typed = form.get(name);
  // An answer longer than any answer is not shown again.
  return typeof typed === "string" ? typed.slice(0, 500) : "";
}

/**
 * Returns the details as the use case wants them. An empty answer is left out, so that it is asked for and not found
 * too short.
 */
export const detailsToSave = (
  values: PatientValues,
  needsMedicare: boolean,
): Record<string, unknown> => withoutBlanks(detailsOf(values, needsMedicare));

function withoutBlanks(value: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]: [string, unknown]): [string, unknown][] => {
      if (part === "") return [];
      return [[name, typeof part === "object" && part !== null ? withoutBlanks(part) : part]];
    }),
  );
}
