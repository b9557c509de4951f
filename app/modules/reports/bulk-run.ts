import type { OrderId } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";

export const BULK_ACTIONS = ["retry", "release", "hold", "resend", "resync", "handled"] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

/** What became of one order: something was done, there was nothing to do any more, or it failed. */
export const BULK_OUTCOMES = ["done", "nothing_to_do", "failed"] as const;
export type BulkOutcome = (typeof BULK_OUTCOMES)[number];

/** One action that staff asked for on many orders. */
export interface BulkRun {
  id: string;
  action: BulkAction;
  actor: Actor;
  /** The selection to walk through, as the index's address has it; null: the orders were named one by one. */
  selection: string | null;
  /** How far the walk has come. */
  cursor: string | null;
  /** First every order is noted, then each is worked on: what is done to one must not move the next. */
  state: "collecting" | "running" | "done";
  total: number;
  createdAt: Date;
  finishedAt: Date | null;
}

export interface BulkProgress {
  run: BulkRun;
  counts: Record<BulkOutcome, number>;
  /** Some of those that failed or had nothing to do, with their names. */
  notDone: { orderId: OrderId; orderName: string; outcome: BulkOutcome }[];
}

/** One order of a run. */
export interface BulkRunOrder {
  orderId: OrderId;
  /** The reasons that were chosen of those for which it needs a person; none: whichever they are. */
  reasons: string[];
}

export interface BulkRunRepository {
  add(run: BulkRun): Promise<void>;
  find(id: string): Promise<BulkRun | null>;
  /** Held until the transaction ends, so that two workers never do one step twice. */
  lock(id: string): Promise<BulkRun | null>;
  change(
    id: string,
    change: Partial<Pick<BulkRun, "state" | "cursor" | "total" | "finishedAt">>,
  ): Promise<void>;
  /** Notes orders to be worked on; one that is noted already stays as it is. Returns how many are new. */
  note(id: string, orders: BulkRunOrder[]): Promise<number>;
  waiting(id: string, limit: number): Promise<BulkRunOrder[]>;
  settle(id: string, orderId: OrderId, outcome: BulkOutcome): Promise<void>;
  progress(id: string): Promise<BulkProgress | null>;
  /** The newest, if it is not older than a moment. */
  latest(since: Date): Promise<BulkRun | null>;
}
