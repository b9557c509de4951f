import { z } from "zod";
import { ENVIRONMENTS, SIGNING_SCHEMES } from "../../modules/shops/connection.ts";
import { HIGH_RISK_CHOICES, WAITING_REFUNDS } from "../../modules/shops/policy-words.ts";
import {
  MAX_RELEASE_AFTER_HOURS,
  REFUND_POLICIES,
  RELEASE_POLICIES,
} from "../../modules/shops/shop.ts";
import { connectionForm, NOTICE_FORM, POLICIES_FORM, REMINDERS_FORM } from "./form-names.ts";

const environment = z.enum(ENVIRONMENTS);
const text = z.string().trim().max(500).default("");
const ticked = z
  .literal("true")
  .optional()
  .transform((value) => value === "true");

const saveConnection = z
  .object({
    intent: z.literal("save-connection"),
    environment,
    clientId: text,
    clientSecret: text,
    /** The client ID that the form was filled with: unchanged, its secret may stay as stored. */
    storedClientId: text,
    signingScheme: z.enum(SIGNING_SCHEMES, { error: "Choose how the deliveries are signed." }),
    signingSecret: text,
    signingHeader: text,
  })
  .superRefine((form, context) => {
    const fault = (field: string, message: string) =>
      context.addIssue({ code: "custom", path: [field], message });
    if (!form.clientId) fault("clientId", "Enter the client ID.");
    else if (!form.clientSecret && form.clientId !== form.storedClientId)
      fault("clientSecret", "Enter the client secret that belongs to this client ID.");
    if (form.signingHeader && !/^[A-Za-z0-9-]+$/.test(form.signingHeader))
      fault("signingHeader", "A header’s name has letters, digits and hyphens only.");
  })
  .transform(
    ({ clientId, clientSecret, signingScheme, signingSecret, signingHeader, ...form }) => ({
      intent: form.intent,
      input: {
        environment: form.environment,
        credentials: clientSecret ? { clientId, clientSecret } : null,
        signing: {
          scheme: signingScheme,
          header: signingHeader || null,
          secret: signingSecret || null,
        },
      },
    }),
  );

const name = z.string().trim().max(100, { error: "At most 100 characters." }).optional();
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

const savePolicies = z
  .object({
    intent: z.literal("save-policies"),
    environment,
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
    releasePolicy: z.enum(RELEASE_POLICIES),
    emailBy: z
      .enum(["pathway", "service"])
      .default("pathway")
      .transform((who) => who === "service"),
    markFulfilled: ticked,
    tagOrders: ticked,
    startFlows: ticked,
    refundPolicy: z.enum(REFUND_POLICIES).default("automatic"),
    reviewerName: name,
    reviewerPhone: phone,
    reviewerEmail: z
      .union([z.literal(""), z.email({ error: "Enter an email address." })])
      .optional(),
    contactName: name,
    contactPhone: phone,
    helpEmail: z.union([z.literal(""), z.email({ error: "Enter an email address." })]).optional(),
    helpPhone: phone,
    helpHours: name,
    releaseAfterHours: hours,
    acceptClinicalTexts: ticked,
    /** The choice for refunds that wait for a decision, and how many there were on the page. */
    waitingRefunds: z.enum(WAITING_REFUNDS).default("leave"),
    waitingCount: z.coerce.number().int().min(0).default(0),
  })
  .superRefine((form, context) => {
    const needs = (fields: (keyof typeof MISSING)[]) => {
      if (fields.some((field) => form[field]))
        for (const field of fields.filter((one) => !form[one]))
          context.addIssue({ code: "custom", path: [field], message: MISSING[field] });
    };
    needs(["reviewerName", "reviewerPhone", "reviewerEmail"]);
    needs(["contactName", "contactPhone"]);
  })
  .transform((form) => {
    const { intent, emailBy, waitingRefunds, waitingCount, acceptClinicalTexts, ...fields } = form;
    const { highRiskOrders, ...rest } = fields;
    const { reviewerName, reviewerPhone, reviewerEmail, contactName, contactPhone, ...others } =
      rest;
    const { helpEmail, helpPhone, helpHours, ...own } = others;
    const help = [helpEmail, helpPhone, helpHours].some((value) => value !== undefined);
    return {
      intent,
      policies: {
        ...own,
        emailByService: emailBy,
        ...(highRiskOrders ? { holdHighRisk: highRiskOrders === "hold" } : {}),
        ...given("reviewer", { name: reviewerName, phone: reviewerPhone, email: reviewerEmail }),
        ...(help
          ? {
              help: {
                email: helpEmail || null,
                phone: helpPhone || null,
                hours: helpHours || null,
              },
            }
          : {}),
        ...given("clinicalContact", { name: contactName, phone: contactPhone }),
      },
      acceptClinicalTexts,
      cancelWaiting: waitingRefunds === "cancel" ? waitingCount : null,
    };
  });

/** A person of the form: left out when the form has no such fields, null when they are empty. */
function given<Key extends string, Person extends Record<string, string | undefined>>(
  key: Key,
  person: Person,
): { [K in Key]?: { [F in keyof Person]: string } | null } {
  const values = Object.values(person);
  if (values.every((value) => value === undefined)) return {};
  const isEmpty = values.every((value) => !value);
  return { [key]: isEmpty ? null : person } as {
    [K in Key]?: { [F in keyof Person]: string } | null;
  };
}

const MISSING = {
  reviewerName: "Enter the reviewer’s name.",
  reviewerPhone: "Enter the reviewer’s phone number.",
  reviewerEmail: "Enter the reviewer’s email address.",
  contactName: "Enter who answers the phone.",
  contactPhone: "Enter the phone number.",
};

const wholeDays = z
  .string()
  .trim()
  .regex(/^\d{1,3}$/, { error: "Enter a whole number of days." })
  .transform(Number)
  .pipe(z.number().min(1, { error: "At least one day." }).max(365, { error: "At most 365 days." }));

const saveReminders = z
  .object({
    intent: z.literal("save-reminders"),
    reminderDays: text
      .transform((typed) => typed.split(",").map((day) => day.trim()))
      .transform((days) => days.filter(Boolean))
      .pipe(z.array(wholeDays).max(10, { error: "At most ten reminders." })),
    detailsEndDays: wholeDays,
  })
  .transform(({ intent, ...reminders }) => ({ intent, reminders }));

const line = z.string().trim().max(200, { error: "At most 200 characters." }).default("");

const saveNotice = z
  .object({
    intent: z.literal("save-notice"),
    recipient: line,
    overseas: z.enum(["unanswered", "no", "yes"]).default("unanswered"),
    countries: line,
    policyUrl: z
      .union([
        z.literal(""),
        z.url({
          protocol: /^https$/,
          error: "Enter a web address such as https://example.com/privacy.",
        }),
      ])
      .default(""),
    complaints: line,
  })
  .refine(({ overseas, countries }) => overseas !== "yes" || countries, {
    path: ["countries"],
    error: "Name the countries.",
  })
  .transform(({ intent, recipient, overseas, countries, policyUrl, complaints }) => ({
    intent,
    notice: {
      recipient: recipient || null,
      sendsOverseas: overseas === "unanswered" ? null : overseas === "yes",
      countries: overseas === "yes" ? countries : null,
      policyUrl: policyUrl || null,
      complaints: complaints || null,
    },
  }));

const connectionIntent = z.object({
  intent: z.enum(["test-connection", "self-test", "disconnect"]),
  environment,
});

/** The merchant has answered Shopify's question for permission. */
const readPermissions = z.object({ intent: z.literal("read-permissions") });

const intentSchema = z.enum([
  "read-permissions",
  "save-connection",
  "test-connection",
  "self-test",
  "disconnect",
  "save-policies",
  "save-reminders",
  "save-notice",
]);
const SCHEMAS = {
  "read-permissions": readPermissions,
  "save-connection": saveConnection,
  "test-connection": connectionIntent,
  "self-test": connectionIntent,
  disconnect: connectionIntent,
  "save-policies": savePolicies,
  "save-reminders": saveReminders,
  "save-notice": saveNotice,
} as const;

type PoliciesForm = z.infer<typeof savePolicies>;
type OtherForm = z.infer<(typeof SCHEMAS)[Exclude<keyof typeof SCHEMAS, "save-policies">]>;

export type SettingsForm =
  | OtherForm
  /** `seen`: what the page showed when it was opened; null when the form does not say. */
  | (PoliciesForm & { seen: PoliciesForm["policies"] | null });

const fieldsAsJson = z.string().transform((json, context): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    // Whoever tampers with it has the whole form saved, as without it.
    context.addIssue({ code: "custom", message: "not the fields of a form" });
    return z.NEVER;
  }
});

/** Reads what the policies' form would have sent when its page was opened: its fields, as JSON. */
function seenPolicies(typed: unknown): PoliciesForm["policies"] | null {
  const fields = fieldsAsJson.safeParse(typed);
  return savePolicies.safeParse(fields.data).data?.policies ?? null;
}

export type SettingsReading =
  | { kind: "valid"; form: string; value: SettingsForm }
  | { kind: "invalid"; form: string; errors: Record<string, string> }
  | { kind: "unknown" };

/** Reads a form of the settings page (README, forms). Every fault is told at once, by field. */
export function readSettingsForm(data: FormData): SettingsReading {
  const fields = Object.fromEntries(data);
  const intent = intentSchema.safeParse(fields.intent).data;
  if (!intent) return { kind: "unknown" };
  const form =
    intent === "save-policies" || intent === "read-permissions"
      ? POLICIES_FORM
      : intent === "save-reminders"
        ? REMINDERS_FORM
        : intent === "save-notice"
          ? NOTICE_FORM
          : connectionForm(String(fields.environment));
  const parsed = SCHEMAS[intent].safeParse(fields);
  if (parsed.success) {
    const value =
      parsed.data.intent === "save-policies"
        ? { ...parsed.data, seen: seenPolicies(fields.seen) }
        : parsed.data;
    return { kind: "valid", form, value };
  }
  // A fault in one day of a list stands at the list.
  const faults = parsed.error.issues.map((issue) => [String(issue.path[0]), issue.message]);
  return { kind: "invalid", form, errors: Object.fromEntries(faults.toReversed()) };
}
