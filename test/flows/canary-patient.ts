import type { PatientDetails } from "../harness/index.ts";

/** A patient of whom nobody else in a world has anything, so that every trace of them can be told. */
export const CANARY_PATIENT: PatientDetails = {
  firstName: "Quillanette",
  lastName: "Zyxwarbler",
  email: "zyxwarbler.canary@example.com",
  phone: "0491570156",
  dob: "1971-07-23",
  gender: "female",
  address: {
    addressLine1: "77 Xanthorrhoea Crescent",
    city: "Brunswick",
    state: "VIC",
    postCode: "3056",
    country: "Australia",
  },
  consent: true,
};

/** The texts that tell of that patient, wherever they stand. */
export const CANARIES: readonly string[] = [
  CANARY_PATIENT.firstName,
  CANARY_PATIENT.lastName,
  CANARY_PATIENT.email,
  // However the number is written.
  CANARY_PATIENT.phone.slice(1),
  CANARY_PATIENT.dob,
  CANARY_PATIENT.address.addressLine1,
];
