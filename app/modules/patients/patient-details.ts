import { z } from "zod";
import { plainDigits } from "../../platform/typed-digits.ts";
import { tidyCardNumber, tidyDvaNumber, withReference } from "./medicare-number.ts";
import type { MedicareCard, Patient } from "./patient.ts";
import { australianState, dayIn } from "./patients/australian-address.ts";
import { calendarFault } from "./patients/date-of-birth.ts";
import {
  addressFaults,
  birthFaults,
  type FieldError,
  medicareFaults,
  underAge,
} from "./patients/field-faults.ts";
import { inOneSpelling, printFault } from "./patients/printable.ts";
import { ONLY_NAME } from "./person-name.ts";

export type { FieldError };

export type PatientDetailsReading =
  | { kind: "valid"; patient: Patient; medicare: MedicareCard | null }
  | {
      kind: "invalid";
      errors: FieldError[];
      /** The date of birth can be read, and is under the minimum age. */
      isUnderAge: boolean;
    };

/** The questions that an order's items add to the form. */
export interface PatientRules {
  /** Years. */
  minimumAge: number;
  needsMedicare: boolean;
  today: Date;
}

const text = (label: string, min: number, max: number) =>
  z
    .string({ error: `Enter ${label}.` })
    .transform((value) => inOneSpelling(value).trim())
    .pipe(
      z
        .string()
        .min(min, {
          error: ({ input }) =>
            min > 1 && input !== ""
              ? `${sentence(label)} needs at least ${min} characters.`
              : `Enter ${label}.`,
        })
        .max(max, { error: `${sentence(label)} can have at most ${max} characters.` })
        .superRefine((value, { addIssue }) => {
          const message = printFault(value, label);
          if (message) addIssue({ code: "custom", message });
        }),
    );

const optionalText = (label: string, max: number) =>
  text(label, 0, max)
    .nullish()
    .transform((value) => value || null);

const shape = {
  // One sign is a name (interface §4.2 sets no minimum for a create; its two are those of PATCH).
  firstName: text("the first name", 1, 60),
  lastName: text("the last name", 1, 60),
  email: z
    .string({ error: "Enter an email address." })
    .trim()
    .max(254, { error: "An email address can have at most 254 characters." })
    // Left out, it would be another address, which may be somebody else's.
    .regex(/^[^\p{Cc}\p{Cf}]*$/u, {
      error: "There is a hidden character in the email address. Delete it and type it again.",
    })
    .pipe(z.email({ error: "Enter an email address such as sam@example.com." })),
  phone: z
    .string({ error: "Enter a phone number." })
    .transform((value) =>
      plainDigits(value)
        .replace(/[\s().\p{Pd}]/gu, "")
        .replace(/^00(?=61)/, "+")
        .replace(/^(\+?61)0/, "$1"),
    )
    .pipe(
      z.string().regex(/^(?:\+?61|0)[2-478]\d{8}$/, {
        error: "Enter an Australian phone number, for example 0412\u00a0345\u00a0678.",
      }),
    ),
  dob: z
    .string({ error: "Enter the date of birth." })
    .transform((value) => plainDigits(value).trim())
    .superRefine((value, { addIssue }) => {
      const message = calendarFault(value);
      if (message) addIssue({ code: "custom", message });
    }),
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
        .transform((value) => plainDigits(value).trim())
        .pipe(z.string().regex(/^\d{4}$/, { error: "An Australian postcode has four digits." })),
      country: z.string().trim().nullish(),
    },
    { error: "Enter the address." },
  ),
  consent: z.literal(true, { error: "Tick the box to continue." }),
  medicareCardNumber: z.string().transform(tidyCardNumber).nullish(),
  /** The reference number beside the name, where a form asks for it by itself. */
  medicareIrn: z
    .string()
    .transform((value) => plainDigits(value).trim())
    .nullish(),
  dvaNumber: z.string().transform(tidyDvaNumber).nullish(),
};

const detailsSchema = z.object(shape);

/** Of somebody with one name (docs/decisions/0053): it stands in either field, and the other is empty. */
const oneNameSchema = z
  .object({
    hasOneName: z.literal(true),
    firstName: z.string().trim().nullish().catch(null),
    lastName: z.string().trim().nullish().catch(null),
  })
  .transform(({ firstName, lastName }) => ({
    firstName: firstName ?? "",
    lastName: lastName ?? "",
  }));

/** The fields in the sequence of the form, so that faults are told in the order in which they are mended. */
const READING_ORDER = [
  ...["firstName", "lastName", "dob", "gender", "email", "phone"],
  ...["address", "addressLine1", "addressLine2", "city", "state", "postCode", "country"].map(
    (name) => (name === "address" ? name : `address.${name}`),
  ),
  ...["medicareCardNumber", "medicareIrn", "dvaNumber", "consent"],
];

/** The fields that are also judged by what they mean, each for itself: null where it cannot be read. */
const meaningSchema = z
  .object({
    dob: shape.dob.nullable().catch(null),
    address: z
      .object({
        state: z.string().catch(""),
        postCode: shape.address.shape.postCode.nullable().catch(null),
        country: shape.address.shape.country.catch(null),
      })
      .nullable()
      .catch(null),
    medicareCardNumber: shape.medicareCardNumber.catch(null),
    medicareIrn: shape.medicareIrn.catch(null),
    dvaNumber: shape.dvaNumber.catch(null),
  })
  .catch({
    dob: null,
    address: null,
    medicareCardNumber: null,
    medicareIrn: null,
    dvaNumber: null,
  });

/**
 * Reads what a shopper typed, before anything is sent anywhere. Answers every fault at once, each with its
 * field and a sentence. Values are never repeated in the sentences.
 */
export function readPatientDetails(given: unknown, rules: PatientRules): PatientDetailsReading {
  const input = withFullName(given);
  const parsed = detailsSchema.safeParse(input);
  const unreadable = (parsed.error?.issues ?? []).map((issue) => ({
    field: issue.path.join("."),
    message: issue.message,
  }));
  const errors = inReadingOrder([
    ...faultOfOneName(given),
    ...unreadable,
    ...faultsOfMeaning(input, rules),
  ]);
  const state = australianState(parsed.data?.address.state ?? "");
  if (!parsed.success || errors.length > 0 || !state) {
    const message = underAge(rules.minimumAge);
    const isUnderAge = errors.some((error) => error.field === "dob" && error.message === message);
    return { kind: "invalid", errors, isUnderAge };
  }
  const { consent: _, medicareCardNumber, medicareIrn, dvaNumber, ...details } = parsed.data;
  return {
    kind: "valid",
    patient: { ...details, address: { ...details.address, state, country: "Australia" } },
    medicare:
      rules.needsMedicare && medicareCardNumber
        ? {
            medicareCardNumber: withReference(medicareCardNumber, medicareIrn),
            dvaNumber: dvaNumber || null,
          }
        : null,
  };
}

/** Faults of fields that can be read, whatever is wrong with the others. */
function faultsOfMeaning(input: unknown, rules: PatientRules): FieldError[] {
  const { dob, address, ...card } = meaningSchema.parse(input);
  const today = dayIn(australianState(address?.state ?? ""), rules.today);
  return [
    ...(dob === null ? [] : birthFaults(dob, { ...rules, today })),
    ...(address === null ? [] : addressFaults(address)),
    ...(rules.needsMedicare ? medicareFaults(card) : []),
  ];
}

function firstOfEachField(errors: FieldError[]): FieldError[] {
  return [
    ...new Map(errors.toReversed().map((error) => [error.field, error])).values(),
  ].toReversed();
}

const rank = (field: string) => {
  const at = READING_ORDER.indexOf(field);
  return at < 0 ? READING_ORDER.length : at;
};

/** Faults in the sequence of the form, the first of each field. */
export const inReadingOrder = (errors: FieldError[]): FieldError[] =>
  firstOfEachField(errors).toSorted((one, other) => rank(one.field) - rank(other.field));

/** Details with two names, where somebody says that they have one. */
function withFullName(input: unknown): unknown {
  const names = oneNameSchema.safeParse(input).data;
  if (!names) return input;
  return { ...Object(input), firstName: ONLY_NAME, lastName: names.lastName || names.firstName };
}

function faultOfOneName(input: unknown): FieldError[] {
  const names = oneNameSchema.safeParse(input).data;
  return names?.firstName && names.lastName
    ? [
        {
          field: "lastName",
          message: "Leave the first name blank, or untick that there is only one name.",
        },
      ]
    : [];
}

function sentence(label: string): string {
  return label.charAt(0).toUpperCase() + label.slice(1);
}
