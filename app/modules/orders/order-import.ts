import type { OrderId } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import type { ListedOrder } from "./listed-order.ts";

/** One walk through the store's orders for those whose webhook never came. */
export interface OrderImport {
  id: string;
  askedBy: OrderImportRequester;
  since: Date;
  until: Date;
  cursor: string | null;
  pages: number;
  seen: number;
  /** Paid orders that were not known. */
  imported: number;
  /** Known orders that had changed since they were read. */
  changed: number;
  /** Time of last change of the last order seen: how far the walk has come from `since` to `until`. */
  reached: Date | null;
  state: "running" | "done" | "cancelled";
  /** Code of the last failure when the page is being tried again; null when all is well. */
  failure: string | null;
  startedAt: Date;
  finishedAt: Date | null;
}

export type OrderImportRequester = "schedule" | "restore" | Actor;

/** The findings of one page. */
export interface PageProgress {
  seen: number;
  imported: number;
  changed: number;
  reached: Date | null;
  /** Null at the end of the list. */
  cursor: string | null;
}

export interface OrderImportRepository {
  /** Null when another one is running: one at a time. */
  start(
    orderImport: Pick<OrderImport, "id" | "askedBy" | "since" | "until" | "startedAt">,
  ): Promise<OrderImport | null>;
  find(id: string): Promise<OrderImport | null>;
  running(): Promise<OrderImport | null>;
  /** The last one that was begun, by anybody or by the clock or by a person. */
  latest(by?: "schedule" | "staff"): Promise<OrderImport | null>;
  /**
   * Notes what the page after `pages` others has shown, and ends the walk with its last page. False when
   * somebody was there first, or the walk has been ended.
   */
  record(id: string, pages: number, progress: PageProgress, at: Date): Promise<boolean>;
  recordFailure(id: string, code: string): Promise<void>;
  /** Has a walk go on without its place in the store's list, from the last change that it came to. */
  leaveCursor(id: string, cursor: string): Promise<void>;
  cancel(id: string, at: Date): Promise<boolean>;
  /** Returns, of the listed orders, the unknown ones and those that changed since they were read. */
  news(orders: ListedOrder[]): Promise<{ unknown: OrderId[]; changed: OrderId[] }>;
}
