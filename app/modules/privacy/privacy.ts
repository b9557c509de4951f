import type { CustomerId, ShopDomain } from "../kernel/ids.ts";
import type { DataSubject, DutyDesk, PrivacyDutyKind } from "../orders/duty-desk.ts";

export const DAYS_TO_DO_A_DUTY = 30;

export interface PrivacyDuty extends DataSubject {
  /** Id of the message that brought it. */
  inboxId: string;
  duty: PrivacyDutyKind;
  /** When the store asked, by its own clock; else when the message came. */
  askedAt: Date;
  openedAt: Date;
  doneAt: Date | null;
  /** How many rows of which kind were packed or destroyed; a sentence's key when nothing was. */
  receipt: Receipt | null;
  hasPackage: boolean;
}

export type Receipt = Record<string, number | string>;

export interface PrivacyRepository extends DutyDesk {
  find(inboxId: string): Promise<PrivacyDuty | null>;
  /** Those that are not done yet, oldest first. */
  undone(): Promise<string[]>;
  /** The latest, for people to see. */
  latest(count: number): Promise<PrivacyDuty[]>;
  /** Ends a duty. What it said about whom is kept only with a package, which is for that person. */
  finish(
    inboxId: string,
    done: {
      at: Date;
      receipt: Receipt;
      package?: { customerId: CustomerId | null; held: unknown };
    },
  ): Promise<void>;
  /** What was packed for a person; null when it is not there, or not any more. */
  openPackage(inboxId: string): Promise<unknown>;
  /** Everything that is held about somebody, in clear, and how much of each kind. */
  gather(subject: DataSubject): Promise<{ held: unknown; counts: Receipt }>;
}

export type DutyOutcome =
  | { kind: "done"; receipt: Receipt }
  /** Something is just being sent to the service; the rest is done, and this is tried again. */
  | { kind: "waiting"; sending: number }
  /** A shop’s erasure that can still be cancelled. */
  | { kind: "delayed"; until: Date }
  | { kind: "nothing_to_do" };

/** Port: destroys a shop's data key and all its rows, and keeps a receipt that does not say whose they were. */
export interface ShopEraser {
  /** Null when the shop is installed: it is then left alone. */
  erase(shop: ShopDomain, erasure: { askedAt: Date; doneAt: Date }): Promise<Receipt | null>;
}
