import { z } from "zod";
import { uuidSchema } from "../../modules/kernel/ids.ts";

/** A number only, so that nothing about a patient ends up in the timeline. */
const CASE_NUMBER = /^[A-Za-z0-9#/-]{0,24}$/;

const schema = z.object({
  intent: z.enum(["take", "sign_out", "erase"]),
  requestId: uuidSchema,
  /** The test's data as the page showed it (`version`); absent: nobody says. */
  seen: z.string().max(200).optional(),
  caseNumber: z
    .string()
    .trim()
    .regex(CASE_NUMBER, {
      error: "Enter the case number only: up to 24 letters, digits, #, / or -.",
    })
    .default("")
    .transform((text) => text || null),
  isChecked: z.literal("true", {
    error: "Tick this once you know that the patient asks, and not somebody else.",
  }),
});

export type PrivacyForm =
  | { kind: "valid"; value: z.output<typeof schema> }
  | { kind: "invalid"; errors: Record<string, string> };

/** Reads what is to be done for a patient, as posted. */
export function readPrivacyForm(form: FormData): PrivacyForm {
  const parsed = schema.safeParse(Object.fromEntries(form));
  if (parsed.success) return { kind: "valid", value: parsed.data };
  const errors = parsed.error.issues.map((issue) => [String(issue.path[0]), issue.message]);
  return { kind: "invalid", errors: Object.fromEntries(errors) };
}
