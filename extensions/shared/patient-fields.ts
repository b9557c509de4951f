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
  "dvaNumber",
] as const;
export type PatientField = (typeof PATIENT_FIELDS)[number];
export type PatientValues = Record<PatientField, string> & { consent: boolean };

/** Messages by field; `consent` has one too. */
export type PatientErrors = Partial<Record<PatientField | "consent", string>>;

export const AUSTRALIAN_STATES = ["ACT", "NSW", "NT", "QLD", "SA", "TAS", "VIC", "WA"] as const;

/** Pathology forms are for people in Australia: the country is not asked for. */
const COUNTRY = "Australia";

const OPTIONAL: readonly PatientField[] = ["address.addressLine2", "dvaNumber"];
const MEDICARE: readonly PatientField[] = ["medicareCardNumber", "dvaNumber"];

/** Body of PUT /api/customer/requests/{id}/patient. */
export interface PatientDetails {
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  /** YYYY-MM-DD */
  dob: string;
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
  medicareCardNumber?: string;
  dvaNumber?: string;
}

/** The fields that this request asks for, in the sequence of the form. */
export const fieldsOf = (needsMedicare: boolean): PatientField[] =>
  PATIENT_FIELDS.filter((field) => needsMedicare || !MEDICARE.includes(field));

export const isRequired = (field: PatientField): boolean => !OPTIONAL.includes(field);

/** Starting values; a known state code only, since the list offers no other. Consent is never given beforehand. */
export function startingValues(prefill: Prefill | null): PatientValues {
  const state = AUSTRALIAN_STATES.find((code) => code === prefill?.address?.state?.toUpperCase());
  return {
    firstName: prefill?.firstName ?? "",
    lastName: prefill?.lastName ?? "",
    dob: prefill?.dob ?? "",
    gender: prefill?.gender ?? "",
    email: prefill?.email ?? "",
    phone: prefill?.phone ?? "",
    "address.addressLine1": prefill?.address?.addressLine1 ?? "",
    "address.addressLine2": prefill?.address?.addressLine2 ?? "",
    "address.city": prefill?.address?.city ?? "",
    "address.state": state ?? "",
    "address.postCode": prefill?.address?.postCode ?? "",
    medicareCardNumber: prefill?.medicareCardNumber ?? "",
    dvaNumber: prefill?.dvaNumber ?? "",
    consent: false,
  };
}

export function detailsOf(values: PatientValues, needsMedicare: boolean): PatientDetails {
  const typed = (field: PatientField) => values[field].trim();
  return {
    firstName: typed("firstName"),
    lastName: typed("lastName"),
    email: typed("email"),
    phone: typed("phone"),
    dob: typed("dob"),
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
    ...(needsMedicare && typed("dvaNumber") ? { dvaNumber: typed("dvaNumber") } : {}),
  };
}

/**
 * The app's refusals by field of the form. What belongs to no visible field (the country, say) comes back in `others`,
 * so that no refusal stays unseen. The first message of a field wins.
 */
export function errorsByField(
  refused: FieldError[],
  needsMedicare: boolean,
): { errors: PatientErrors; others: string[] } {
  const visible: (PatientField | "consent")[] = [...fieldsOf(needsMedicare), "consent"];
  const errors: PatientErrors = {};
  const others: string[] = [];
  for (const { field, message } of refused) {
    const known = visible.find((name) => name === field);
    if (known) errors[known] ??= message;
    else others.push(message);
  }
  return { errors, others };
}
