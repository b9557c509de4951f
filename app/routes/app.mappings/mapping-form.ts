import { z } from "zod";
import {
  MAX_NOTES_CHARS,
  MAX_PREPARATION_CHARS,
  type NewMapping,
} from "../../modules/catalogue/mapping.ts";
import { isProviderNumber } from "../../modules/catalogue/provider-number.ts";
import { gid, type VariantId } from "../../modules/kernel/ids.ts";
import { countOf } from "../../modules/kernel/words.ts";
import { ENVIRONMENTS, type Environment } from "../../modules/shops/connection.ts";

const text = z.string().trim().max(300).default("");
const typed = z.string().trim().max(300).optional();
/** Absent where only the order is chosen, as by a suggestion: the text then stays as it is. Empty: there is none. */
const longText = (max: number) =>
  z
    .string()
    .trim()
    // Browsers send a line's end as two characters, and count it as one.
    .transform((value) => value.replace(/\r\n?/g, "\n"))
    .pipe(z.string().max(max, { error: `At most ${countOf(max, "character")}.` }))
    .transform((value) => value || null)
    .optional();
/** Ids with commas between them. */
const idList = z
  .string()
  .max(10_000)
  .default("")
  .transform((value) => [
    ...new Set(
      value
        .split(",")
        .map((id) => id.trim())
        .filter(Boolean),
    ),
  ]);
const globalId = <K extends "Product" | "ProductVariant">(kind: K) =>
  z.string().transform((value, context) => {
    try {
      return gid(kind, value);
    } catch {
      // The form says it to whoever sent the id.
      context.addIssue("This product can’t be found any more. Reload the page.");
      return z.NEVER;
    }
  });

/** What the page showed (`mappingVersion`); absent: nobody says. */
const seen = z.string().max(100).optional();

/** For what a mapping is. */
export const MAPPING_SCOPES = ["variant", "product"] as const;

const mappingForm = z
  .object({
    intent: z.literal("save"),
    environment: z.enum(ENVIRONMENTS).optional(),
    variantId: globalId("ProductVariant"),
    productId: globalId("Product"),
    /** The whole product’s mapping, or one of the variant’s own. */
    scope: z.enum(MAPPING_SCOPES).default("variant"),
    kind: z.enum(["order", "ignored"], { error: "Say whether this is a test." }),
    bundleId: text,
    tests: idList,
    medicareTests: idList,
    /** Absent where somebody of the registry is chosen, by the number alone. */
    practitionerName: typed,
    practitionerAddress: typed,
    clinicalNotes: longText(MAX_NOTES_CHARS),
    preparation: longText(MAX_PREPARATION_CHARS),
    practitionerProviderNumber: text.transform((value) => value.replace(/\s/g, "").toUpperCase()),
    seen,
  })
  .superRefine((form, context) => {
    if (form.kind === "ignored" || form.medicareTests.length === 0) return;
    const fault = (field: string, message: string) =>
      context.addIssue({ code: "custom", path: [field], message });
    const isChosen = isChosenIn(form);
    if (!isChosen && !form.practitionerName)
      fault("practitionerName", "Enter the practitioner’s name.");
    if (!isChosen && !form.practitionerAddress)
      fault("practitionerAddress", "Enter the practice’s address.");
    if (!isProviderNumber(form.practitionerProviderNumber))
      fault(
        "practitionerProviderNumber",
        "Check the provider number: eight characters, for example 2426621B.",
      );
  });

function isChosenIn(form: {
  practitionerName?: string | undefined;
  practitionerAddress?: string | undefined;
}): boolean {
  return form.practitionerName === undefined && form.practitionerAddress === undefined;
}

export type MappingReading =
  | {
      kind: "valid";
      /** Whether its practitioner was chosen by the number alone, and not typed. */
      isPractitionerChosen: boolean;
      /** The variant whose form it is: it gives up its own mapping for its product’s. */
      heir: VariantId | null;
      seen: string | null;
      mappingIn(environment: Environment): NewMapping;
    }
  | { kind: "invalid"; errors: Record<string, string> };

/** Reads the form that says what a variant means. Without an environment it is for where new orders go. */
export function readMappingForm(data: FormData): MappingReading {
  const parsed = mappingForm.safeParse(Object.fromEntries(data));
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => [issue.path.join("."), issue.message]);
    return { kind: "invalid", errors: Object.fromEntries(faults.toReversed()) };
  }
  const { productId, bundleId, tests, medicareTests, ...form } = parsed.data;
  const isWhole = form.scope === "product";
  const variantId = isWhole ? null : form.variantId;
  const practitioner = {
    name: form.practitionerName ?? "",
    address: form.practitionerAddress ?? "",
    providerNumber: form.practitionerProviderNumber,
  };
  return {
    kind: "valid",
    isPractitionerChosen: isChosenIn(form),
    heir: isWhole ? form.variantId : null,
    seen: form.seen ?? null,
    mappingIn(used) {
      const place = { environment: form.environment ?? used, variantId, productId };
      if (form.kind === "ignored") return { ...place, kind: "ignored" };
      const items = {
        bundleId: bundleId || null,
        tests,
        medicareTests,
        practitioner: medicareTests.length > 0 ? practitioner : null,
      };
      const { clinicalNotes, preparation } = form;
      return { ...place, kind: "order", items, clinicalNotes, preparation };
    },
  };
}

const removalForm = z.object({
  environment: z.enum(ENVIRONMENTS),
  variantId: globalId("ProductVariant"),
  productId: globalId("Product"),
  scope: z.enum(MAPPING_SCOPES).default("variant"),
  seen,
});

/** Reads whose mapping is to be taken back; null when no page of ours sent it. */
export function readRemovalForm(data: FormData) {
  const form = removalForm.safeParse(Object.fromEntries(data)).data;
  if (!form) return null;
  const { environment, productId, scope, variantId: of } = form;
  const variantId = scope === "product" ? null : of;
  return { environment, productId, variantId, of, seen: form.seen ?? null };
}
