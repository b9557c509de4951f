import { z } from "zod";

const text = z.string().trim().max(300).default("");
const providerNumber = text.transform((value) => value.replace(/\s/g, "").toUpperCase());

/** What the page showed when it was opened, as JSON; absent or unreadable: nobody says. */
const seen = z
  .string()
  .max(2_000)
  .transform((value, context): unknown => {
    try {
      return JSON.parse(value);
    } catch {
      // No page of ours sent it; the parser's error quotes the text.
      context.addIssue("no JSON");
      return z.NEVER;
    }
  })
  .pipe(z.object({ label: z.string(), name: z.string(), address: z.string() }))
  .nullable()
  .catch(null)
  .default(null);

const practitionerForm = z.discriminatedUnion("intent", [
  z.object({
    intent: z.enum(["add", "change"]),
    label: text,
    name: text.pipe(z.string().min(1, "Enter the practitioner’s name.")),
    address: text.pipe(z.string().min(1, "Enter the practice’s address.")),
    providerNumber,
    seen,
  }),
  z.object({ intent: z.enum(["remove", "fixed"]), providerNumber }),
]);

export type PractitionerForm = z.infer<typeof practitionerForm>;

/** Reads a form of the practitioners' page: its values, or a sentence for each field that is wrong. */
export function readPractitionerForm(
  data: FormData,
):
  | { kind: "valid"; value: PractitionerForm }
  | { kind: "invalid"; errors: Record<string, string> } {
  const parsed = practitionerForm.safeParse(Object.fromEntries(data));
  if (parsed.success) return { kind: "valid", value: parsed.data };
  const faults = parsed.error.issues.map((issue) => [issue.path.join("."), issue.message]);
  return { kind: "invalid", errors: Object.fromEntries(faults.toReversed()) };
}
