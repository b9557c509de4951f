import { z } from "zod";
import { ENVIRONMENTS } from "../../modules/shops/connection.ts";
import { HIGH_RISK_CHOICES, WAITING_REFUNDS } from "../../modules/shops/policy-words.ts";
import {
  MAX_RELEASE_AFTER_HOURS,
  type PolicyChange,
  REFUND_POLICIES,
  RELEASE_POLICIES,
} from "../../modules/shops/shop.ts";
import { webAddress } from "./web-address.ts";

const ticked = z
  .literal("true")
  .optional()
  .transform((value) => value === "true");
const name = z.string().trim().max(100, { error: "At most 100 characters." }).optional();
const email = z.union([z.literal(""), z.email({ error: "Enter an email address." })]).optional();
const phone = z
  .string()
  .trim()
  .regex(/^$|^\+?[\d ()-]{6,20}$/, {
    error: "Enter a phone number: digits, spaces and a leading +.",
  })
  .optional();
const hours = z
  .string()
  .trim()
  .regex(/^\d{1,2}$/, { error: "Enter a whole number of hours." })
  .transform(Number)
  .pipe(
    z
      .number()
      .min(1, { error: "At least one hour." })
      .max(MAX_RELEASE_AFTER_HOURS, { error: `At most ${MAX_RELEASE_AFTER_HOURS} hours.` }),
  )
  .optional();

const environment = { environment: z.enum(ENVIRONMENTS) };
const orders = {
  holdOrders: ticked,
  /** Left out, it stays as it is. */
  highRiskOrders: z.enum(HIGH_RISK_CHOICES.map(({ value }) => value)).optional(),
  strictMode: ticked,
  minimumAge: z
    .string()
    .trim()
    .regex(/^\d{1,3}$/, { error: "Enter an age in whole years." })
    .transform(Number)
    .pipe(z.number().max(120, { error: "The highest age is 120." })),
  refundPolicy: z.enum(REFUND_POLICIES).default("automatic"),
  /** The choice for refunds that wait for a decision, and how many there were on the page. */
  waitingRefunds: z.enum(WAITING_REFUNDS).default("leave"),
  waitingCount: z.coerce.number().int().min(0).default(0),
};
const results = {
  releasePolicy: z.enum(RELEASE_POLICIES),
  reviewerName: name,
  reviewerPhone: phone,
  reviewerEmail: email,
  contactName: name,
  contactPhone: phone,
  releaseAfterHours: hours,
  acceptClinicalTexts: ticked,
};
const notifications = { emailBy: z.enum(["pathway", "service"]).default("pathway") };
const store = {
  helpEmail: email,
  helpPhone: phone,
  helpHours: name,
  finderName: name,
  finderUrl: webAddress("https://example.com/collection-centres").optional(),
  markFulfilled: ticked,
  tagOrders: ticked,
  startFlows: ticked,
};

const whole = z.object({ ...environment, ...orders, ...results, ...notifications, ...store });
type Fields = Partial<z.output<typeof whole>>;

const MISSING = {
  reviewerName: "Enter the reviewer’s name.",
  reviewerPhone: "Enter the reviewer’s phone number.",
  reviewerEmail: "Enter the reviewer’s email address.",
  contactName: "Enter who answers the phone.",
  contactPhone: "Enter the phone number.",
  finderName: "Enter the name that patients read.",
  finderUrl: "Enter the web address of the finder.",
};

/** A form with some of the policies' fields: a person or a page is named whole, or not at all. */
const policiesForm = (fields: z.ZodType<Fields>) =>
  fields
    .superRefine((form, context) => {
      const needs = (names: (keyof typeof MISSING)[]) => {
        if (names.some((field) => form[field]))
          for (const field of names.filter((one) => !form[one]))
            context.addIssue({ code: "custom", path: [field], message: MISSING[field] });
      };
      needs(["reviewerName", "reviewerPhone", "reviewerEmail"]);
      needs(["contactName", "contactPhone"]);
      needs(["finderName", "finderUrl"]);
    })
    .transform(policiesOf);

/** The form of each page, and `save-policies`: all of them in one, as programs send it. */
export const POLICIES_SCHEMAS = {
  "save-policies": policiesForm(whole),
  "choose-environment": policiesForm(z.object(environment)),
  "save-orders": policiesForm(z.object(orders)),
  "save-results": policiesForm(z.object(results)),
  "save-notifications": policiesForm(z.object(notifications)),
  "save-store": policiesForm(z.object(store)),
} as const;

/** The change that a form asks for: of fields that it does not have, nothing. */
function policiesOf(form: Fields) {
  const { highRiskOrders, emailBy, waitingRefunds, waitingCount = 0, ...rest } = form;
  const { acceptClinicalTexts = false, ...fields } = rest;
  const { reviewerName, reviewerPhone, reviewerEmail, contactName, contactPhone, ...others } =
    fields;
  const { helpEmail, helpPhone, helpHours, finderName, finderUrl, ...own } = others;
  const help = [helpEmail, helpPhone, helpHours].some((value) => value !== undefined);
  const policies: PolicyChange = {
    ...own,
    ...(emailBy && { emailByService: emailBy === "service" }),
    ...(highRiskOrders && { holdHighRisk: highRiskOrders === "hold" }),
    ...given("reviewer", { name: reviewerName, phone: reviewerPhone, email: reviewerEmail }),
    ...given("clinicalContact", { name: contactName, phone: contactPhone }),
    ...given("collectionFinder", { name: finderName, url: finderUrl }),
    ...(help && {
      help: { email: helpEmail || null, phone: helpPhone || null, hours: helpHours || null },
    }),
  };
  return {
    intent: "save-policies" as const,
    policies,
    acceptClinicalTexts,
    cancelWaiting: waitingRefunds === "cancel" ? waitingCount : null,
  };
}

/** A person or a page of the form: left out when the form has no such fields, null when they are empty. */
function given<Key extends string, Parts extends Record<string, string | undefined>>(
  key: Key,
  parts: Parts,
): { [K in Key]?: { [F in keyof Parts]: string } | null } {
  const values = Object.values(parts);
  if (values.every((value) => value === undefined)) return {};
  const isEmpty = values.every((value) => !value);
  return { [key]: isEmpty ? null : parts } as {
    [K in Key]?: { [F in keyof Parts]: string } | null;
  };
}
