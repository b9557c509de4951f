/** Gender as the service takes it (interface §4.2). */
export type Gender = "male" | "female";

/** Postal address of a patient (interface §2.1, person.address). */
export interface PatientAddress {
  addressLine1: string;
  addressLine2: string | null;
  city: string;
  state: string;
  postCode: string;
  country: string;
}

/** The person whom a referral is for. Identity data: encrypted at rest, never logged. */
export interface Patient {
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  /** YYYY-MM-DD */
  dob: string;
  gender: Gender;
  address: PatientAddress;
}

/** The card numbers that a patient may add when tests are ordered under Medicare (interface §4.2). */
export interface MedicareCard {
  /** 10 digits, optionally followed by the 1-digit IRN. */
  medicareCardNumber: string;
  dvaNumber: string | null;
}
