import { z } from "zod";
import { DATA_EXPORT_REASONS } from "../../modules/privacy/staff-access.ts";

const schema = z.object({
  reason: z.enum(DATA_EXPORT_REASONS, { error: "Choose why the data has to be downloaded." }),
  caseNumber: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9#/-]{0,24}$/, {
      error: "Enter the case number only: up to 24 letters, digits, #, / or -.",
    })
    .default("")
    .transform((text) => text || null),
});

export type DataExportForm =
  | { kind: "valid"; value: z.output<typeof schema> }
  | { kind: "invalid"; errors: Record<string, string> };

/** Why somebody downloads what is held about a customer, as posted. */
export function readDataExportForm(form: FormData): DataExportForm {
  const parsed = schema.safeParse(Object.fromEntries(form));
  if (parsed.success) return { kind: "valid", value: parsed.data };
  const errors = parsed.error.issues.map((issue) => [String(issue.path[0]), issue.message]);
  return { kind: "invalid", errors: Object.fromEntries(errors) };
}
