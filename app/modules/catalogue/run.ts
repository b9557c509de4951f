import { z } from "zod";
import type { Batch, BatchCounts, BatchItem, DueBatchItem, NewBatchItem } from "../kernel/batch.ts";
import { gid, type ProductId, type VariantId } from "../kernel/ids.ts";
import { orderedItemsSchema } from "../referrals/ordered-items.ts";
import type { OrderedItems } from "../referrals/referral-service.ts";
import { ENVIRONMENTS, type Environment } from "../shops/connection.ts";

interface MappingTexts {
  clinicalNotes?: string | null | undefined;
  preparation?: string | null | undefined;
}

/** The new meaning of a variant. */
export type MappingChange =
  /** Texts that are undefined stay as they are (`Mapping`). */
  | ({ kind: "order"; items: OrderedItems } & MappingTexts)
  | { kind: "ignored" }
  | { kind: "unmapped" };

export const RUN_KINDS = ["map", "ignore", "suggest", "file", "copy", "undo"] as const;
export type RunKind = (typeof RUN_KINDS)[number];

/** A change of many mappings at once: a batch of the kind `mapping_change`. */
export interface MappingRun
  extends Pick<Batch, "id" | "state" | "actor" | "createdAt" | "finishedAt"> {
  kind: RunKind;
  environment: Environment;
  fileName: string | null;
  /** The run that it undoes; null for every other. */
  undoes: string | null;
}

export type CountedRun = MappingRun & {
  counts: BatchCounts;
  /** Whether what it changed can be put back. */
  mayUndo: boolean;
};

const detailSchema = z.object({
  /** Line of the file, from 1. */
  line: z.number().nullable(),
  productId: z
    .string()
    .transform((value): ProductId => gid("Product", value))
    .nullable(),
  /** The variant's name in the report: titles, or the file's words. */
  label: z.string(),
  /** Null when it cannot be done. Texts are kept sealed beside it, and read only when it is done. */
  change: z
    .union([
      z.object({ kind: z.literal("order"), items: orderedItemsSchema }),
      z.object({ kind: z.enum(["ignored", "unmapped"]) }),
    ])
    .nullable(),
  /** The variant's meaning when the run was made, and its new meaning, in words. */
  was: z.string(),
  becomes: z.string(),
  /** Column of the file that is wrong. */
  field: z.string().nullable(),
});
const planSchema = z.object({
  environment: z.enum(ENVIRONMENTS),
  fileName: z.string().nullable(),
  undoes: z
    .string()
    .nullish()
    .transform((id) => id ?? null),
});
const actionSchema = z.enum(RUN_KINDS);
/** Once these were the clinical notes alone. */
const textsSchema = z.union([
  z
    .string()
    .nullable()
    .transform((clinicalNotes): MappingTexts => ({ clinicalNotes })),
  z.object({
    clinicalNotes: z.string().nullish(),
    preparation: z.string().nullish(),
  }),
]);

/** One variant of a run. */
export type RunRow = Omit<z.infer<typeof detailSchema>, "change"> & {
  variantId: VariantId | null;
  change: MappingChange | null;
} & Pick<BatchItem, "outcome" | "message">;

export type StoredRunRow = RunRow & Pick<BatchItem, "position">;

/** A run as it is stored. */
export const batchOf = ({ kind, environment, fileName, undoes, ...run }: MappingRun): Batch => ({
  ...run,
  kind: "mapping_change",
  action: kind,
  plan: { environment, fileName, ...(undoes ? { undoes } : {}) },
  cursor: null,
});

/** Reads a batch as a run of mappings. Throws for a batch of another kind. */
export function runOf({
  id,
  action,
  actor,
  state,
  plan,
  createdAt,
  finishedAt,
}: Batch): MappingRun {
  const kind = actionSchema.parse(action);
  return { id, kind, actor, state, ...planSchema.parse(plan), createdAt, finishedAt };
}

/** A row as it is stored: texts apart, to be sealed. */
export function itemOf({ variantId, outcome, message, change, ...row }: RunRow): NewBatchItem {
  const isOrder = change?.kind === "order";
  return {
    subject: variantId,
    detail: { ...row, change: isOrder ? { kind: change.kind, items: change.items } : change },
    sealed: isOrder ? textsOf(change) : undefined,
    outcome,
    message,
  };
}

function textsOf({ clinicalNotes, preparation }: MappingTexts): MappingTexts | undefined {
  const isSilent = clinicalNotes === undefined && preparation === undefined;
  return isSilent ? undefined : { clinicalNotes, preparation };
}

/** Reads an item of a batch as a row of its run, without the texts that are sealed. */
export function rowOf({ position, subject, detail, outcome, message }: BatchItem): StoredRunRow {
  const variantId = subject === null ? null : gid("ProductVariant", subject);
  return { position, variantId, ...detailSchema.parse(detail), outcome, message };
}

/** Reads the change to a variant, with the texts that were sealed. */
export function changeOf({ detail, sealed }: Pick<DueBatchItem, "detail" | "sealed">): {
  change: MappingChange;
  productId: ProductId;
} | null {
  const { change, productId } = detailSchema.parse(detail);
  if (!change || !productId) return null;
  if (change.kind !== "order" || sealed === undefined) return { change, productId };
  return { change: { ...change, ...textsSchema.parse(sealed) }, productId };
}
