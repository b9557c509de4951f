import type { FieldError } from "./failure.ts";
import type { Prefill } from "./requests.ts";

/** The fields that a customer fills in, by the dotted path under which the app names a field in its errors. */
export const PATIENT_FIELDS = [
  "firstName",
  "lastName",
  "dob",
  "gender",
  "email",
  "phone",
  "address.addressLine1",
  "address.addressLine2",
  "address.city",
  "address.state",
  "address.postCode",
  "medicareCardNumber",
  "medicareIrn",
  "dvaNumber",
] as const;
export type PatientField = (typeof PATIENT_FIELDS)[number];
export type PatientValues = Record<PatientField, string> & {
  /** The patient has one name; it stands as the last name, and the first name is empty. */
  hasOneName: boolean;
  consent: boolean;
};

/** Messages by field; `consent` has one too. */
export type PatientErrors = Partial<Record<PatientField | "consent", string>>;

export const AUSTRALIAN_STATES = ["ACT", "NSW", "NT", "QLD", "SA", "TAS", "VIC", "WA"] as const;

/** Pathology forms are for people in Australia: the country is not asked for. */
const COUNTRY = "Australia";

const OPTIONAL: readonly PatientField[] = ["address.addressLine2", "medicareIrn", "dvaNumber"];
const MEDICARE: readonly PatientField[] = ["medicareCardNumber", "medicareIrn", "dvaNumber"];

/** First name that the app keeps for somebody with one name (docs/decisions/0053). */
const ONLY_NAME = "Onlyname";

/** Digits of a Medicare card number; an eleventh is the reference number beside the name. */
const CARD_DIGITS = 10;

/** Body of PUT /api/customer/requests/{id}/patient. */
export interface PatientDetails {
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  /** YYYY-MM-DD */
  dob: string;
  hasOneName?: true;
  gender: string;
  address: {
    addressLine1: string;
    addressLine2: string | null;
    city: string;
    state: string;
    postCode: string;
    country: string;
  };
  consent: boolean;
  /** Names the notice that was read. */
  notice?: string | null | undefined;
  medicareCardNumber?: string;
  medicareIrn?: string;
  dvaNumber?: string;
}

/** The fields that this request asks for, in the sequence of the form. */
export const fieldsOf = (needsMedicare: boolean): PatientField[] =>
  PATIENT_FIELDS.filter((field) => needsMedicare || !MEDICARE.includes(field));

export const isRequired = (field: PatientField): boolean => !OPTIONAL.includes(field);

/** Starting values; a known state code only, since the list offers no other. Consent is never given beforehand. */
export function startingValues(prefill: Prefill | null): PatientValues {
  const known: Partial<Record<string, unknown>> = { ...prefill, ...prefill?.address };
  const card = `${known.medicareCardNumber || ""}`;
  const hasOneName = known.firstName === ONLY_NAME;
  if (hasOneName) known.firstName = "";
  known.state = AUSTRALIAN_STATES.find((code) => code === `${known.state}`.toUpperCase());
  known.medicareCardNumber = card.slice(0, CARD_DIGITS);
  known.medicareIrn = card.slice(CARD_DIGITS);
  const texts = PATIENT_FIELDS.map((field) => [field, known[nameOf(field)] || ""]);
  return { ...Object.fromEntries(texts), hasOneName, consent: false };
}

/** The last part of a field's path. */
export const nameOf = (field: string): string => field.slice(field.indexOf(".") + 1);

export function detailsOf(values: PatientValues, needsMedicare: boolean): PatientDetails {
  const typed = (field: PatientField) => values[field].trim();
  return {
    firstName: typed("firstName"),
    lastName: typed("lastName"),
    ...(values.hasOneName ? { hasOneName: true } : {}),
    email: typed("email"),
    phone: typed("phone"),
    dob: typed("dob")
      .replace(/\b\d\b/g, "0$&")
      .replace(/^-+$/, ""),
    gender: typed("gender"),
    address: {
      addressLine1: typed("address.addressLine1"),
      addressLine2: typed("address.addressLine2") || null,
      city: typed("address.city"),
      state: typed("address.state"),
      postCode: typed("address.postCode"),
      country: COUNTRY,
    },
    consent: values.consent,
    ...(needsMedicare ? { medicareCardNumber: typed("medicareCardNumber") } : {}),
    ...(needsMedicare && typed("medicareIrn") ? { medicareIrn: typed("medicareIrn") } : {}),
    ...(needsMedicare && typed("dvaNumber") ? { dvaNumber: typed("dvaNumber") } : {}),
  };
}

/**
 * The app's refusals by field of the form. What belongs to no visible field (the country, say) comes back in `others`,
 * so that no refusal stays unseen. The first message of a field wins, and the errors stand in the sequence of the form.
 */
export function errorsByField(
  refused: FieldError[],
  needsMedicare: boolean,
): { errors: PatientErrors; others: string[] } {
  const visible: (PatientField | "consent")[] = [...fieldsOf(needsMedicare), "consent"];
  const errors: PatientErrors = {};
  for (const name of visible) {
    const message = refused.find(({ field }) => field === name)?.message;
    if (message) errors[name] = message;
  }
  const isVisible = (field: string) => visible.some((name) => name === field);
  const others = refused.filter(({ field }) => !isVisible(field)).map(({ message }) => message);
  return { errors, others };
}
