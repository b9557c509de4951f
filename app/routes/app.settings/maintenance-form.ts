import { z } from "zod";
import { IMPORT_FORM, ORDER_IMPORT_FORM } from "./form-names.ts";

const day = z
  .string()
  .trim()
  .regex(/^\d{4}-\d{2}-\d{2}$/, { error: "Enter a date." })
  .refine((text) => !Number.isNaN(Date.parse(`${text}T00:00:00Z`)), { error: "Enter a date." });

const SCHEMAS = {
  "import-orders": z.object({ intent: z.literal("import-orders"), since: day }),
  "stop-looking": z.object({ intent: z.literal("stop-looking") }),
  "import-order": z.object({
    intent: z.literal("import-order"),
    order: z
      .string()
      .trim()
      .min(1, { error: "Enter the order’s number." })
      .max(60)
      // A shop writes what it likes before and after the number.
      .regex(/[\p{L}\p{N}]/u, { error: "Enter a number such as #1001." }),
  }),
} as const;

const FORMS = {
  "import-orders": ORDER_IMPORT_FORM,
  "stop-looking": ORDER_IMPORT_FORM,
  "import-order": IMPORT_FORM,
} as const;

export type MaintenanceForm = z.infer<(typeof SCHEMAS)[keyof typeof SCHEMAS]>;

export type MaintenanceReading =
  | { kind: "valid"; form: string; value: MaintenanceForm }
  | { kind: "invalid"; form: string; errors: Record<string, string> }
  | { kind: "unknown" };

/** Reads a form about missed orders. */
export function readMaintenanceForm(data: FormData): MaintenanceReading {
  const fields = Object.fromEntries(data);
  const intents = ["import-orders", "stop-looking", "import-order"] as const;
  const intent = z.enum(intents).safeParse(fields.intent).data;
  if (!intent) return { kind: "unknown" };
  const form = FORMS[intent];
  const parsed = SCHEMAS[intent].safeParse(fields);
  if (parsed.success) return { kind: "valid", form, value: parsed.data };
  const faults = parsed.error.issues.map((issue) => [issue.path.join("."), issue.message]);
  return { kind: "invalid", form, errors: Object.fromEntries(faults.toReversed()) };
}
