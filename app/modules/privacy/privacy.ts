import type { CustomerId, OrderId, ShopDomain } from "../kernel/ids.ts";
import type {
  DataSubject,
  PrivacyRequestDesk,
  PrivacyRequestKind,
} from "../orders/privacy-request.ts";

export const DAYS_FOR_A_PRIVACY_REQUEST = 30;

export interface PrivacyRequest extends DataSubject {
  /** Id of the message that brought it. */
  inboxId: string;
  kind: PrivacyRequestKind;
  /** When the store asked, by its own clock; else when the message came. */
  askedAt: Date;
  openedAt: Date;
  doneAt: Date | null;
  /**
   * How many rows of which kind were packed or destroyed; a sentence's key when nothing was. While it is open: `newer`, how much waits
   * for somebody's word, or `wanted`, once they said that it is to be destroyed.
   */
  receipt: Receipt | null;
  hasExport: boolean;
}

export type Receipt = Record<string, number | string>;

export interface PrivacyRepository extends PrivacyRequestDesk {
  find(inboxId: string): Promise<PrivacyRequest | null>;
  /** When the same words came for the first time, in an earlier message that was not refused; null where none is known. */
  firstCame(inboxId: string): Promise<Date | null>;
  /** Lets nobody else touch it until the transaction ends. */
  lock(inboxId: string): Promise<void>;
  /** Those that are not done yet, oldest first. */
  undone(): Promise<string[]>;
  /** The latest, for people to see. */
  latest(count: number): Promise<PrivacyRequest[]>;
  /** Keeps a request open for somebody's word, and says what waits for it. */
  hold(inboxId: string, receipt: { newer: number }): Promise<void>;
  /** Ends a privacy request. What it said about whom is kept only with a data export, which is for that person. */
  finish(
    inboxId: string,
    done: {
      at: Date;
      receipt: Receipt;
      dataExport?: { customerId: CustomerId | null; held: unknown };
    },
  ): Promise<void>;
  /** Opens the data export of a person, as far as it may still be seen; null when there is none, or not any more. */
  openDataExport(inboxId: string): Promise<OpenedDataExport | null>;
  /** What the shop's keys still have to do by themselves. */
  keyWork(): Promise<KeyWork>;
  /** Everything that is held about somebody, in clear, how much of each kind, and which tests are in it. */
  gather(
    subject: DataSubject,
    pdfs: ReadonlyMap<string, Buffer>,
  ): Promise<{ held: unknown; counts: Receipt; requestIds: string[] }>;
}

/** A data export as it is handed out, and which tests and orders are in it. */
export interface OpenedDataExport {
  held: unknown;
  requestIds: string[];
  orderIds: OrderId[];
}

export interface KeyWork {
  /** How many records new keys have sealed so far; null when all of them are. */
  resealed: number | null;
  /** Erasures whose former keys still exist in copies of the database. */
  erasures: number;
}

export type PrivacyRequestOutcome =
  | { kind: "done"; receipt: Receipt }
  /** Something is just being sent to the service; the rest is done, and this is tried again. */
  | { kind: "waiting"; sending: number }
  /** A shop’s erasure that can still be cancelled. */
  | { kind: "delayed"; until: Date }
  /** The words came before. What is newer waits for somebody to say whether the customer asked again. */
  | { kind: "held"; newer: number }
  /** Nobody can say whether the shop has left. */
  | { kind: "unconfirmed" }
  | { kind: "nothing_to_do" };

/** Port: destroys a shop's data key and all its rows, and keeps a receipt that does not say whose they were. */
export interface ShopEraser {
  /** Null when the shop is installed: it is then left alone. */
  erase(shop: ShopDomain, erasure: { askedAt: Date; doneAt: Date }): Promise<Receipt | null>;
}

/** Port: ends lines of the timeline that nobody needs any more, which no transaction of a shop can. */
export interface TimelineEnder {
  /** Looks at the orders behind one, at most a thousand, and deletes at most a thousand lines of theirs. Null: at the first. */
  end(shop: ShopDomain, from: { at: Date; behind: OrderPlace | null }): Promise<EndedLines>;
}

/** Where a walk over a shop's orders stands, as the database wrote it. */
export type OrderPlace = readonly [paidAt: string, orderId: string];

export interface EndedLines {
  ended: number;
  behind: OrderPlace | null;
  /** Whether orders or lines are left to look at. */
  more: boolean;
}

/** Port: what was erased of a shop, noted where no backup of the database reaches. */
export interface ErasureNotes {
  of(shop: ShopDomain): Promise<{
    /** When the whole shop was erased, the last time; null when it never was. */
    shopErasedAt: Date | null;
    requestIds: string[];
    orderIds: OrderId[];
    /** Data exports, by the messages that asked for them. */
    exportIds: string[];
    customerIds: string[];
    /** Saved patients, by the ids of their data keys. */
    savedPatientKeys: string[];
    /** Files of notes that can't be read: what they tell is missing above. */
    damaged: string[];
  }>;
}
