import type { ProductId, VariantId } from "../kernel/ids.ts";
import type { OrderedItems } from "../referrals/referral-service.ts";
import type { Environment } from "../shops/connection.ts";

/** What a variant is to mean. */
export type MappingChange =
  /** Notes that are undefined stay as they are (`Mapping`). */
  | { kind: "order"; items: OrderedItems; clinicalNotes?: string | null | undefined }
  | { kind: "ignored" }
  | { kind: "unmapped" };

export const RUN_KINDS = ["map", "ignore", "suggest", "file"] as const;
export type RunKind = (typeof RUN_KINDS)[number];

/** `draft`: a file was read and nothing was changed yet. */
export const RUN_STATES = ["draft", "running", "done", "cancelled"] as const;
export type RunState = (typeof RUN_STATES)[number];

export const ROW_OUTCOMES = ["saved", "unchanged", "refused"] as const;
export type RowOutcome = (typeof ROW_OUTCOMES)[number];

/** Counts of rows; `open` have not been done yet. */
export interface RunCounts extends Record<RowOutcome, number> {
  total: number;
  open: number;
}

export interface MappingRun {
  id: string;
  environment: Environment;
  kind: RunKind;
  state: RunState;
  fileName: string | null;
  createdAt: Date;
  finishedAt: Date | null;
}

export type CountedRun = MappingRun & { counts: RunCounts };

/** One variant of a run. */
export interface RunRow {
  position: number;
  /** Line of the file, from 1. */
  line: number | null;
  variantId: VariantId | null;
  productId: ProductId | null;
  /** What the report calls it: titles, or what the file says. */
  label: string;
  /** Null when it cannot be done. Notes are kept sealed beside it, and read only when it is done. */
  change: MappingChange | null;
  /** What the variant meant when the run was made, and is to mean, in words. */
  was: string;
  becomes: string;
  /** Column of the file that is wrong. */
  field: string | null;
  /** Null until it is done. */
  outcome: RowOutcome | null;
  message: string | null;
}

export interface DueRow {
  position: number;
  variantId: VariantId;
  productId: ProductId;
  change: MappingChange;
}

export interface MappingRunRepository {
  /** False when another run of the shop is under way. */
  add(run: MappingRun, rows: RunRow[]): Promise<boolean>;
  find(id: string): Promise<CountedRun | null>;
  /** The one under way, or the last one; files that were only looked at do not count. */
  latest(environment: Environment): Promise<CountedRun | null>;
  /** Moves a run on; false when it was not in one of these states, or another run is under way. */
  move(id: string, from: RunState[], to: RunState, at: Date): Promise<boolean>;
  /** The next row to do, held by this transaction alone; null when none is left or the run has ended. */
  takeDue(id: string): Promise<DueRow | null>;
  settle(id: string, position: number, outcome: RowOutcome, message: string | null): Promise<void>;
  /** Rows from a position on; with `troubleFirst`, those that were refused come before all others. */
  rows(
    id: string,
    page: { after: number; limit: number; outcome?: RowOutcome | "open" },
  ): Promise<RunRow[]>;
  /** Reports are kept for a while; those of older runs go. */
  forgetBefore(at: Date): Promise<void>;
}
