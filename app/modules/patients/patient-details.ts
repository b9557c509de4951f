import { z } from "zod";
import {
  isDvaNumber,
  isMedicareCardNumber,
  tidyCardNumber,
  tidyDvaNumber,
} from "./medicare-number.ts";
import type { MedicareCard, Patient } from "./patient.ts";
import { australianState, dayIn, postcodeIsIn } from "./patients/australian-address.ts";

export interface FieldError {
  /** Dotted path, for example `address.postCode`. */
  field: string;
  message: string;
}

export type PatientDetailsReading =
  | { kind: "valid"; patient: Patient; medicare: MedicareCard | null }
  | { kind: "invalid"; errors: FieldError[] };

/** The questions that an order's items add to the form. */
export interface PatientRules {
  /** Years. */
  minimumAge: number;
  needsMedicare: boolean;
  today: Date;
}

/**
 * Control characters, line breaks and half signs break printed forms; spaces without width and marks that turn text
 * round hide what a person would see.
 */
const PRINTABLE = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069]*$/u;

const text = (label: string, min: number, max: number) =>
  z
    .string({ error: `Enter ${label}.` })
    // One name, whether its accents were typed as signs of their own or not.
    .normalize("NFC")
    .trim()
    .min(min, {
      error: min > 1 ? `${sentence(label)} needs at least ${min} characters.` : `Enter ${label}.`,
    })
    .max(max, { error: `${sentence(label)} can have at most ${max} characters.` })
    .regex(PRINTABLE, { error: `${sentence(label)} has a character that cannot be printed.` });

const optionalText = (label: string, max: number) =>
  text(label, 0, max)
    .nullish()
    .transform((value) => value || null);

const detailsSchema = z.object({
  // One sign is a name (interface §4.2 sets no minimum for a create; its two are those of PATCH).
  firstName: text("the first name", 1, 60),
  lastName: text("the last name", 1, 60),
  email: z
    .string({ error: "Enter an email address." })
    .trim()
    .max(254)
    .pipe(z.email({ error: "Enter an email address such as sam@example.com." })),
  phone: z
    .string({ error: "Enter a phone number." })
    .transform((value) => value.replace(/[\s().\p{Pd}]/gu, "").replace(/^(\+?61)0/, "$1"))
    .pipe(
      z.string().regex(/^(?:\+?61|0)[2-478]\d{8}$/, {
        error: "Enter an Australian phone number, for example 0412 345 678.",
      }),
    ),
  dob: z.iso.date({ error: "Enter the date of birth as year, month and day." }),
  gender: z.enum(["male", "female"], {
    error: "Choose the sex that the laboratory should use for its reference ranges.",
  }),
  address: z.object(
    {
      addressLine1: text("the street address", 3, 100),
      addressLine2: optionalText("the second address line", 100),
      city: text("the suburb or town", 2, 60),
      state: z.string({ error: "Choose a state or territory." }),
      postCode: z
        .string({ error: "Enter the postcode." })
        .trim()
        .regex(/^\d{4}$/, { error: "An Australian postcode has four digits." }),
      country: z.string().trim().nullish(),
    },
    { error: "Enter the address." },
  ),
  consent: z.literal(true, { error: "Tick the box to continue." }),
  medicareCardNumber: z.string().transform(tidyCardNumber).nullish(),
  dvaNumber: z.string().transform(tidyDvaNumber).nullish(),
});

/** The fields that are also judged by what they mean, each for itself: null where it cannot be read. */
const meaningSchema = z
  .object({
    dob: detailsSchema.shape.dob.nullable().catch(null),
    address: z
      .object({
        state: z.string().catch(""),
        postCode: detailsSchema.shape.address.shape.postCode.nullable().catch(null),
        country: detailsSchema.shape.address.shape.country.catch(null),
      })
      .nullable()
      .catch(null),
    medicareCardNumber: detailsSchema.shape.medicareCardNumber.catch(null),
    dvaNumber: detailsSchema.shape.dvaNumber.catch(null),
  })
  .catch({ dob: null, address: null, medicareCardNumber: null, dvaNumber: null });

/**
 * Reads what a shopper typed, before anything is sent anywhere. Answers every fault at once, each with its
 * field and a sentence. Values are never repeated in the sentences.
 */
export function readPatientDetails(input: unknown, rules: PatientRules): PatientDetailsReading {
  const parsed = detailsSchema.safeParse(input);
  const unreadable = (parsed.error?.issues ?? []).map((issue) => ({
    field: issue.path.join("."),
    message: issue.message,
  }));
  const errors = firstOfEachField([...unreadable, ...faultsOfMeaning(input, rules)]);
  const state = australianState(parsed.data?.address.state ?? "");
  if (!parsed.success || errors.length > 0 || !state) return { kind: "invalid", errors };
  const { consent: _, medicareCardNumber, dvaNumber, ...details } = parsed.data;
  return {
    kind: "valid",
    patient: { ...details, address: { ...details.address, state, country: "Australia" } },
    medicare:
      rules.needsMedicare && medicareCardNumber
        ? { medicareCardNumber, dvaNumber: dvaNumber || null }
        : null,
  };
}

/** Faults of fields that can be read, whatever is wrong with the others. */
function faultsOfMeaning(input: unknown, rules: PatientRules): FieldError[] {
  const { dob, address, medicareCardNumber, dvaNumber } = meaningSchema.parse(input);
  const today = dayIn(australianState(address?.state ?? ""), rules.today);
  return [
    ...(dob === null ? [] : birthFaults(dob, { ...rules, today })),
    ...(address === null ? [] : addressFaults(address)),
    ...(rules.needsMedicare ? medicareFaults(medicareCardNumber, dvaNumber) : []),
  ];
}

/** `today` is the day where the patient lives; days as YYYY-MM-DD compare as they stand. */
function birthFaults(
  dob: string,
  { minimumAge, today }: { minimumAge: number; today: string },
): FieldError[] {
  const [year, ...day] = dob.split("-");
  // Most years have no 29 February: 1 March is the first day that is not before it.
  const birthday = (age: number) => [Number(year) + age, ...day].join("-");
  const message =
    dob > today
      ? "Date of birth can’t be in the future."
      : birthday(130) < today
        ? "Check the year of birth."
        : birthday(minimumAge) > today
          ? `The patient must be at least ${minimumAge} years old.`
          : null;
  return message ? [{ field: "dob", message }] : [];
}

interface TypedAddress {
  state: string;
  postCode: string | null;
  country?: string | null;
}

function addressFaults({ state: typedState, postCode, country }: TypedAddress): FieldError[] {
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

function medicareFaults(
  number: string | null | undefined,
  dvaNumber: string | null | undefined,
): FieldError[] {
  const message = !number
    ? "Enter the Medicare card number."
    : isMedicareCardNumber(number)
      ? null
      : "That card number isn’t valid. Check each digit.";
  return [
    ...(message ? [{ field: "medicareCardNumber", message }] : []),
    ...(dvaNumber && !isDvaNumber(dvaNumber) ? [{ field: "dvaNumber", message: DVA_FAULT }] : []),
  ];
}

const DVA_FAULT =
  "Check the DVA file number: it looks like NX123456. Leave blank if you don’t have one.";

function firstOfEachField(errors: FieldError[]): FieldError[] {
  return [
    ...new Map(errors.toReversed().map((error) => [error.field, error])).values(),
  ].toReversed();
}

function sentence(label: string): string {
  return label.charAt(0).toUpperCase() + label.slice(1);
}
