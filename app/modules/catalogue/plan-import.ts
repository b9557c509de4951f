import { gid, type ShopDomain, type VariantId } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import type { Environment } from "../shops/connection.ts";
import { lookUpIn } from "./mappings/csv/look-up.ts";
import { type RowFault, readRow } from "./mappings/csv/read-row.ts";
import { describeChange, titleOf } from "./mappings/describe-change.ts";
import {
  areSameNotes,
  areSamePreparation,
  isSameMeaning,
  meaningOf,
} from "./mappings/same-meaning.ts";
import type { Ports } from "./ports.ts";
import { type FileRow, readMappingFile } from "./read-file.ts";
import { batchOf, itemOf, type MappingChange, type RunRow } from "./run.ts";
import { newRun } from "./start-run.ts";
import type { ListedVariant } from "./store-variants.ts";
import type { Tenant } from "./tenant.ts";

export type PlanImportOutcome =
  | { kind: "planned"; runId: string }
  | { kind: "unreadable"; message: string };

/** Reads a file and writes down what it would change, line by line. Nothing is changed before it is applied. */
export async function planImport(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  file: {
    shop: ShopDomain;
    environment: Environment;
    name: string;
    bytes: Uint8Array;
    actor: Actor;
  },
): Promise<PlanImportOutcome> {
  const reading = readMappingFile(file.bytes);
  if (reading.kind === "unreadable") return reading;
  if (reading.rows.length === 0)
    return {
      kind: "unreadable",
      message: "The file has no lines below its first. Add a line for each variant.",
    };
  return tenancy.inShop(file.shop, async (tenant) => {
    const { environment, name: fileName, actor } = file;
    const rows = await planRows(tenant, environment, reading.rows);
    const made = { environment, kind: "file", state: "draft", at: clock.now(), actor } as const;
    const run = newRun({ ...made, fileName });
    await tenant.batches.add(batchOf(run), rows.map(itemOf));
    return { kind: "planned", runId: run.id };
  });
}

async function planRows(
  tenant: Tenant,
  environment: Environment,
  file: FileRow[],
): Promise<RunRow[]> {
  const catalogue = await tenant.catalogues.find(environment);
  const practitioners = await tenant.practitioners.all();
  const known = {
    test: lookUpIn(catalogue?.tests ?? []),
    bundle: lookUpIn(catalogue?.bundles ?? []),
    practitioners: new Map(
      practitioners.map(({ name, address, providerNumber }) => [
        providerNumber,
        { name, address, providerNumber },
      ]),
    ),
  };
  const skus = await tenant.storeVariants.bySku(
    file.flatMap(({ cells }) => (cells.variant_id ? [] : cells.sku || [])),
  );
  const identified = file.map((row) => ({ row, who: identify(row, skus) }));
  const ids = identified.flatMap(({ who }) => ("id" in who ? who.id : []));
  const variants = new Map(
    (await tenant.storeVariants.some({ environment, catalogue }, ids)).map((one) => [one.id, one]),
  );
  // The list of what the store sells comes without texts.
  const hasTexts = file.some(
    ({ columns }) => columns.has("clinical_notes") || columns.has("preparation"),
  );
  const stored = hasTexts ? await tenant.mappings.list(environment, ids) : null;
  const lines = Map.groupBy(
    identified.flatMap(({ row, who }) => ("id" in who ? [{ id: who.id, line: row.line }] : [])),
    ({ id }) => id,
  );
  return identified.map(({ row, who }) => {
    const base = { line: row.line };
    const label = labelOf(row);
    const refuse = ({ field, message }: RowFault, variant?: ListedVariant): RunRow => ({
      ...base,
      variantId: variant?.id ?? null,
      productId: variant?.productId ?? null,
      label: variant ? titleOf(variant) : label,
      change: null,
      was: variant ? describeChange(meaningOf(variant.mapping), catalogue) : "",
      becomes: "",
      field,
      outcome: "refused",
      message,
    });
    if (!("id" in who)) return refuse(who);
    const field = row.cells.variant_id ? "variant_id" : "sku";
    const variant = variants.get(who.id);
    if (!variant || variant.isDeleted)
      return refuse({
        field,
        message: "Your store has no such variant any more. Remove the line.",
      });
    const others = (lines.get(who.id) ?? []).filter(({ line }) => line !== row.line);
    if (others.length > 0) {
      const where = others.map(({ line }) => line).join(", ");
      const message = `Line ${where} is about the same variant. Keep one of them.`;
      return refuse({ field, message }, variant);
    }
    const reading = readRow(row, known);
    if (reading.kind === "fault") return refuse(reading.fault, variant);
    const was = meaningOf(stored ? (stored.get(variant.id) ?? null) : variant.mapping);
    const change = reading.kind === "silent" ? was : reading.change;
    return {
      ...base,
      variantId: variant.id,
      productId: variant.productId,
      label: titleOf(variant),
      change,
      was: describeChange(was, catalogue),
      becomes: `${describeChange(change, catalogue)}${describeTexts(was, change)}`,
      field: null,
      outcome: isSameMeaning(was, change) ? "nothing_to_do" : null,
      message: null,
    };
  });
}

/** Describes the change to the texts; what they say stays out of the report. */
function describeTexts(was: MappingChange, change: MappingChange): string {
  if (change.kind !== "order") return "";
  const told = (isSame: boolean, text: string | null | undefined, name: string) =>
    isSame ? "" : text ? `; new ${name}` : `; without ${name}`;
  return [
    told(areSameNotes(was, change), change.clinicalNotes, "clinical notes"),
    told(areSamePreparation(was, change), change.preparation, "preparation"),
  ].join("");
}

/** Finds a line's variant: by a global id or its number, else by a SKU that only one variant has. */
function identify(
  { cells }: FileRow,
  skus: Map<string, VariantId[]>,
): { id: VariantId } | RowFault {
  if (cells.variant_id) {
    try {
      return { id: gid("ProductVariant", cells.variant_id) };
    } catch {
      // The report of the import says which line it is.
      const message = `“${cells.variant_id}” is no variant id. Spreadsheets shorten long numbers: set the column to text and export again.`;
      return { field: "variant_id", message };
    }
  }
  if (!cells.sku)
    return {
      field: "variant_id",
      message: "The line names no variant. Fill in variant_id or sku.",
    };
  const [only, ...more] = skus.get(cells.sku) ?? [];
  if (!only) return { field: "sku", message: `No product has the SKU “${cells.sku}”.` };
  if (more.length > 0)
    return {
      field: "sku",
      message: `Several products have the SKU “${cells.sku}”. Use variant_id for them.`,
    };
  return { id: only };
}

const labelOf = ({ cells }: FileRow) =>
  [cells.product, cells.variant].filter(Boolean).join(" – ") || cells.sku || cells.variant_id;
