import { z } from "zod";
import { uuidSchema } from "../../modules/kernel/ids.ts";
import { ALERT_KINDS, type AlertKind, CONTACT_ID } from "../../modules/shops/alert.ts";
import { CONTACT_FORM_ID } from "./present-alerts.ts";

/** Null for a new recipient. */
const id = z.union([
  z.literal("new").transform(() => null),
  z.literal(CONTACT_FORM_ID).transform(() => CONTACT_ID),
  uuidSchema,
]);

const ticked = z.literal("true").optional();
const kinds = Object.fromEntries(ALERT_KINDS.map((kind) => [kind, ticked])) as Record<
  AlertKind,
  typeof ticked
>;

const saveAlerts = z
  .object({
    intent: z.literal("save-alerts"),
    id,
    /** Left out for the contact address. */
    email: z
      .string()
      .trim()
      .max(254)
      .pipe(z.email({ error: "Enter an email address." }))
      .optional(),
    ...kinds,
  })
  .superRefine(({ id: given, email }, context) => {
    if (given !== CONTACT_ID && email === undefined)
      context.addIssue({ code: "custom", path: ["email"], message: "Enter an email address." });
  })
  .transform(({ intent, id: given, email, ...chosen }) => ({
    intent,
    id: given,
    choice: {
      email: given === CONTACT_ID ? null : (email ?? null),
      kinds: ALERT_KINDS.filter((kind) => chosen[kind]),
    },
  }));

export const ALERTS_SCHEMAS = {
  "save-alerts": saveAlerts,
  "remove-alerts": z.object({ intent: z.literal("remove-alerts"), id: uuidSchema }),
} as const;
