import type { Actor } from "./timeline.ts";

/** Batches: one action done to many things, each in a transaction of its own (docs/decisions/0029). */
export const BATCH_KINDS = ["order_action", "mapping_change", "reorder"] as const;
export type BatchKind = (typeof BATCH_KINDS)[number];

/**
 * `draft` waits for being applied. `collecting` still looks for its items: what is done to one must not move the next.
 */
export const BATCH_STATES = ["draft", "collecting", "running", "done", "cancelled"] as const;
export type BatchState = (typeof BATCH_STATES)[number];

/** Whether nothing of it will be done any more. */
export const hasEnded = ({ state }: { state: BatchState }): boolean =>
  state === "done" || state === "cancelled";

/** The outcome of one item. `refused`: the item cannot be done as asked. `failed`: this program failed. */
export const BATCH_OUTCOMES = ["done", "nothing_to_do", "refused", "failed"] as const;
export type BatchOutcome = (typeof BATCH_OUTCOMES)[number];

export interface Batch {
  id: string;
  kind: BatchKind;
  /** The action, one of those of the batch's kind. */
  action: string;
  actor: Actor;
  state: BatchState;
  /** Parameters of the kind. The kind reads them with a schema. */
  plan: unknown;
  /** How far the collecting has come. */
  cursor: string | null;
  createdAt: Date;
  finishedAt: Date | null;
}

/** One thing of a batch. */
export interface BatchItem {
  position: number;
  /** Id of the thing; null when nothing has that id. Of one thing, at most one item waits. */
  subject: string | null;
  /** The item's own parameters, as its kind writes them. They hold no personal data. */
  detail: unknown;
  /** Null while it waits. */
  outcome: BatchOutcome | null;
  /** Why it was refused. */
  message: string | null;
}

/** What became of an item. `detail`: what the item says of itself from now on, where that has changed. */
export interface BatchResult {
  outcome: BatchOutcome;
  message?: string | null;
  detail?: unknown;
}

/** A new item. `sealed` is the part of it that nobody but its kind may read; undefined without such a part. */
export type NewBatchItem = Pick<BatchItem, "subject" | "detail"> &
  Partial<Pick<BatchItem, "outcome" | "message">> & { sealed?: unknown };

/** An item to be done, with what was sealed. */
export type DueBatchItem = Pick<BatchItem, "position" | "detail"> & {
  subject: string;
  sealed?: unknown;
};

/** Counts of items; `waiting` have not been done yet. */
export interface BatchCounts extends Record<BatchOutcome, number> {
  total: number;
  waiting: number;
}

export interface BatchRepository {
  /** False when the shop has another one of the kind under way. Actions on orders may go on side by side. */
  add(batch: Batch, items: NewBatchItem[]): Promise<boolean>;
  find(id: string): Promise<Batch | null>;
  countsOf(id: string): Promise<BatchCounts>;
  /** The newest of a kind that is no draft, with this in its plan, and not older than a moment. */
  latest(
    kind: BatchKind,
    only?: { plan?: Record<string, string>; since?: Date },
  ): Promise<Batch | null>;
  /** The batch while it collects, held until the transaction ends: two workers never do one step twice. */
  lockCollecting(id: string): Promise<Batch | null>;
  /** Adds what was found, save what waits already, and where to go on; null when all was found. */
  collect(id: string, items: NewBatchItem[], cursor: string | null): Promise<void>;
  /** Moves a batch on; false when it was not in one of these states, or another of its kind is under way. */
  move(id: string, from: BatchState[], to: BatchState, at: Date): Promise<boolean>;
  /** Ends every batch that goes on; what was not done is not done any more. */
  cancelAll(at: Date): Promise<void>;
  /** The next item, held by this transaction alone. Null when none is left, or neither batch nor shop goes on. */
  takeDue(id: string): Promise<DueBatchItem | null>;
  /** Says what became of an item that waits. */
  settle(id: string, position: number, result: BatchResult): Promise<void>;
  /** Ends a running batch without a waiting item; false otherwise. */
  finish(id: string, at: Date): Promise<boolean>;
  /** The position behind which the page begins that ends at this one; 0 for the first page. */
  pageBefore(
    id: string,
    page: { after: number; limit: number; outcome?: BatchOutcome | "waiting" },
  ): Promise<number>;
  /** Items behind a position, perhaps those with one outcome only. */
  items(
    id: string,
    page: { after: number; limit: number; outcome?: BatchOutcome | "waiting" },
  ): Promise<BatchItem[]>;
}
