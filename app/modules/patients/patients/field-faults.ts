/** Judges what a field means, once it can be read. Values are never repeated in the sentences. */

import { isDvaNumber, isMedicareCardNumber } from "../medicare-number.ts";
import { australianState, postcodeIsIn } from "./australian-address.ts";

export interface FieldError {
  /** Dotted path, for example `address.postCode`. */
  field: string;
  message: string;
}

/** Tells somebody under age, or their parent, what they can do now. */
export const underAge = (minimumAge: number) =>
  `The patient must be at least ${minimumAge} years old. If this date is right, we can’t order this test: contact the shop to cancel and refund it, and see a GP about your health concern.`;

/** Faults of a date of birth. `today` is the day where the patient lives; days as YYYY-MM-DD compare as they stand. */
export function birthFaults(
  dob: string,
  { minimumAge, today }: { minimumAge: number; today: string },
): FieldError[] {
  const [year, ...day] = dob.split("-");
  // Most years have no 29 February: 1 March is the first day that is not before it.
  const birthday = (age: number) => [String(Number(year) + age).padStart(4, "0"), ...day].join("-");
  const message =
    dob > today
      ? "Date of birth can’t be in the future."
      : birthday(125) < today
        ? "Check the year of birth."
        : birthday(minimumAge) > today
          ? underAge(minimumAge)
          : null;
  return message ? [{ field: "dob", message }] : [];
}

interface TypedAddress {
  state: string;
  postCode: string | null;
  country?: string | null;
}

/** Faults of an address that can be read: its country, its state, and a postcode of another state. */
export function addressFaults({
  state: typedState,
  postCode,
  country,
}: TypedAddress): FieldError[] {
  const state = australianState(typedState);
  if (country && !/^(au|aus|australia)$/i.test(country))
    return [
      { field: "address.country", message: "The laboratories can only collect in Australia." },
    ];
  if (!state) return [{ field: "address.state", message: "Choose a state or territory." }];
  return postCode === null || postcodeIsIn(postCode, state)
    ? []
    : [{ field: "address.postCode", message: `This postcode is not in ${state}.` }];
}

interface TypedCard {
  medicareCardNumber?: string | null;
  medicareIrn?: string | null;
  dvaNumber?: string | null;
}

/** Faults of a Medicare card’s number, its reference number and a DVA file number. */
export function medicareFaults({
  medicareCardNumber: number,
  medicareIrn: reference,
  dvaNumber,
}: TypedCard): FieldError[] {
  const message = !number
    ? "Enter the Medicare card number."
    : isMedicareCardNumber(number)
      ? null
      : "That card number isn’t valid. Check each digit.";
  return [
    ...(message ? [{ field: "medicareCardNumber", message }] : []),
    ...(reference && !isReference(reference, number ?? "")
      ? [{ field: "medicareIrn", message: REFERENCE_FAULT }]
      : []),
    ...(dvaNumber && !isDvaNumber(dvaNumber) ? [{ field: "dvaNumber", message: DVA_FAULT }] : []),
  ];
}

/** The 11th digit of a number may say it already; the two must then agree. */
const isReference = (reference: string, number: string) =>
  /^[1-9]$/.test(reference) && (number.length !== 11 || number.endsWith(reference));

const REFERENCE_FAULT =
  "The reference number is the one digit from 1 to 9 beside the patient’s name on the card.";

const DVA_FAULT =
  "Check the DVA file number: it looks like NX123456. Leave blank if you don’t have one.";
