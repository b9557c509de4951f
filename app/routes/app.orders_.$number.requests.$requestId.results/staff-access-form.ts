import { z } from "zod";
import { STAFF_ACCESS_REASONS } from "../../modules/privacy/staff-access.ts";

/** A number only, so that nothing about a patient ends up in the timeline. */
const CASE_NUMBER = /^[A-Za-z0-9#/-]{1,24}$/;

const schema = z.object({
  reason: z.enum(STAFF_ACCESS_REASONS, { error: "Choose why the results have to be seen." }),
  caseNumber: z
    .string()
    .trim()
    .transform((text) => text || null)
    .refine((text) => text === null || CASE_NUMBER.test(text), {
      error: "Enter the case number only: up to 24 letters, digits, #, / or -.",
    })
    .optional()
    .transform((text) => text ?? null),
});

export type StaffAccessForm =
  | { kind: "valid"; value: z.output<typeof schema> }
  | { kind: "invalid"; errors: Record<string, string> };

/** Why somebody wants to see results, as posted. */
export function readStaffAccessForm(form: FormData): StaffAccessForm {
  const parsed = schema.safeParse(Object.fromEntries(form));
  if (parsed.success) return { kind: "valid", value: parsed.data };
  const errors = parsed.error.issues.map((issue) => [String(issue.path[0]), issue.message]);
  return { kind: "invalid", errors: Object.fromEntries(errors) };
}
