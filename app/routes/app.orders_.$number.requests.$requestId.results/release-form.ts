import { z } from "zod";

const schema = z.object({
  name: z
    .string()
    .trim()
    .min(1, { error: "Enter your name." })
    .max(100, { error: "At most 100 characters." }),
  comment: z
    .string()
    .trim()
    .max(1000, { error: "At most 1,000 characters." })
    .default("")
    .transform((text) => text || null),
  contacted: z
    .literal("true")
    .optional()
    .transform((value) => value === "true"),
  seen: z.string().max(5_000).nullable().default(null),
});

export const CONTACT_NEEDED =
  "One of these tests is sensitive. Tell the patient in person first, then tick this.";

export const CHANGED_MEANWHILE =
  "Results arrived, or changed, since this page was opened. Read them above, then release again.";

export const NOTHING_HELD =
  "A colleague released these results meanwhile, or the test was cancelled. Your comment was not kept. The order’s timeline says who did what.";

export type ReleaseForm =
  | { kind: "valid"; value: Omit<z.output<typeof schema>, "seen">; seen: string | null }
  | { kind: "invalid"; errors: Record<string, string> };

/** Reads who releases held results, with which comment, and whether the patient was told. */
export function readReleaseForm(form: FormData): ReleaseForm {
  const parsed = schema.safeParse(Object.fromEntries(form));
  if (parsed.success) {
    const { seen, ...value } = parsed.data;
    return { kind: "valid", value, seen };
  }
  const errors = parsed.error.issues.map((issue) => [String(issue.path[0]), issue.message]);
  return { kind: "invalid", errors: Object.fromEntries(errors) };
}
