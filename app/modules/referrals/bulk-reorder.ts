import type { Actor } from "../kernel/timeline.ts";

/** One asking for everything whose billing failed to be ordered again. */
export interface BulkReorder {
  id: string;
  askedBy: Actor;
  askedAt: Date;
  total: number;
  done: number;
  skipped: number;
  finishedAt: Date | null;
}

export interface BulkReorderRepository {
  /** Begins one, or answers the one that is under way: a second click starts nothing. */
  begin(asking: { id: string; askedBy: Actor; total: number }, at: Date): Promise<BulkReorder>;
  find(id: string): Promise<BulkReorder | null>;
  /** The last one; null when there was none. */
  latest(): Promise<BulkReorder | null>;
  count(id: string, outcome: "done" | "skipped"): Promise<void>;
  finish(id: string, at: Date): Promise<void>;
}
