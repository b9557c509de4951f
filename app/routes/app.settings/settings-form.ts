import { z } from "zod";
import { ENVIRONMENTS, SIGNING_SCHEMES } from "../../modules/shops/connection.ts";
import { ALERTS_SCHEMAS } from "./alerts-form.ts";
import {
  alertsForm,
  connectionForm,
  NOTICE_FORM,
  POLICIES_FORM,
  REMINDERS_FORM,
  RETENTION_FORM,
} from "./form-names.ts";
import { POLICIES_SCHEMAS } from "./policies-form.ts";
import { webAddress } from "./web-address.ts";

const environment = z.enum(ENVIRONMENTS);
const text = z.string().trim().max(500).default("");

/** Secrets are only named by the moment since which they are stored. */
const shownConnection = z
  .object({
    storedClientId: text,
    signingScheme: z.enum(SIGNING_SCHEMES),
    signingHeader: text,
    credentialsAt: text,
    signingSecretAt: text,
  })
  .transform((form) => ({
    clientId: form.storedClientId || null,
    clientSecret: form.credentialsAt || null,
    signingScheme: form.signingScheme,
    signingHeader: form.signingHeader || null,
    signingSecret: form.signingSecretAt || null,
  }));

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
    endFormer: z.literal("true").optional(),
    /** The form's fields when it was opened, as JSON. */
    seen: z.string().optional(),
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
      shown: shownConnection.safeParse(fieldsOf(form.seen)).data ?? null,
      input: {
        environment: form.environment,
        credentials: clientSecret ? { clientId, clientSecret } : null,
        signing: {
          scheme: signingScheme,
          header: signingHeader || null,
          secret: signingSecret || null,
          endFormer: form.endFormer === "true",
        },
      },
    }),
  );

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
    policyUrl: webAddress("https://example.com/privacy").default(""),
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

const saveRetention = z.object({
  intent: z.literal("save-retention"),
  months: z
    .string()
    .trim()
    .regex(/^\d{1,3}$/, { error: "Enter 1 to 300 months." })
    .transform(Number)
    .refine((value) => value >= 1 && value <= 300, { error: "Enter 1 to 300 months." }),
});

const ofConnection = <Intent extends string>(intent: Intent) =>
  z.object({ intent: z.literal(intent), environment });

const SCHEMAS = {
  ...POLICIES_SCHEMAS,
  ...ALERTS_SCHEMAS,
  /** The merchant has answered Shopify's question for permission. */
  "read-permissions": z.object({ intent: z.literal("read-permissions") }),
  "save-connection": saveConnection,
  "test-connection": ofConnection("test-connection"),
  "self-test": ofConnection("self-test"),
  disconnect: ofConnection("disconnect"),
  "save-reminders": saveReminders,
  "save-notice": saveNotice,
  "save-retention": saveRetention,
} as const;
type Intent = keyof typeof SCHEMAS;
const intentSchema = z.enum(Object.keys(SCHEMAS) as [Intent, ...Intent[]]);

/** Forms whose name is not that of their connection. */
const FORMS: Partial<Record<Intent, string>> = {
  "read-permissions": POLICIES_FORM,
  "save-reminders": REMINDERS_FORM,
  "save-notice": NOTICE_FORM,
  "save-retention": RETENTION_FORM,
};

type Value = { [I in Intent]: z.output<(typeof SCHEMAS)[I]> }[Intent];
type WithSeen<V> = V extends Value
  ? V & {
      /** The same form as the page showed it when it was opened; null when the form does not say. */
      seen: V | null;
    }
  : never;
export type SettingsForm = WithSeen<Value>;

export type SettingsReading =
  | { kind: "valid"; form: string; value: SettingsForm }
  | { kind: "invalid"; form: string; errors: Record<string, string> }
  | { kind: "unknown" };

/** Reads a form of a settings page. Every fault is told at once, by field. */
export function readSettingsForm(data: FormData): SettingsReading {
  const fields = Object.fromEntries(data);
  const intent = intentSchema.safeParse(fields.intent).data;
  if (!intent) return { kind: "unknown" };
  const form =
    intent in POLICIES_SCHEMAS
      ? POLICIES_FORM
      : intent in ALERTS_SCHEMAS
        ? alertsForm(String(fields.id))
        : (FORMS[intent] ?? connectionForm(String(fields.environment)));
  const schema: z.ZodType<Value> = SCHEMAS[intent];
  const parsed = schema.safeParse(fields);
  if (parsed.success) {
    const seen = schema.safeParse(fieldsOf(fields.seen)).data ?? null;
    return { kind: "valid", form, value: { ...parsed.data, seen } as SettingsForm };
  }
  // A fault in one day of a list stands at the list.
  const faults = parsed.error.issues.map((issue) => [String(issue.path[0]), issue.message]);
  return { kind: "invalid", form, errors: Object.fromEntries(faults.toReversed()) };
}

/** A form's fields that were kept as JSON; null when it is none. */
function fieldsOf(json: unknown): unknown {
  try {
    return JSON.parse(String(json));
  } catch {
    // A program sends none, and whoever tampers with it has the whole form saved.
    return null;
  }
}
