import type { CustomerId, OrderId } from "../kernel/ids.ts";
import type { DataSubject } from "../orders/privacy-request.ts";
import type { Receipt } from "./privacy.ts";

/** Destroys what is held about people and keeps what is needed to count: ids, states, reference numbers. */
export interface RedactionRepository {
  /**
   * Requests and orders of somebody, and whatever else is of the orders that the store names. A unit that was handed to another person is
   * that person's. `until`: of what the store does not name, only what was here by then.
   */
  of(
    subject: DataSubject,
    until?: Date | null,
  ): Promise<{ requestIds: string[]; orderIds: OrderId[] }>;
  /** The same for whoever destroys them: none of them changes until the transaction ends, nor goes over to another person. */
  ofForUpdate(
    subject: DataSubject,
    until?: Date | null,
  ): Promise<{ requestIds: string[]; orderIds: OrderId[] }>;
  /**
   * Requests that have not changed since `before`, at most `limit`, and orders of that age whose requests are
   * all redacted. None of them changes until the transaction ends.
   */
  expired(before: Date, limit: number): Promise<{ requestIds: string[]; orderIds: OrderId[] }>;
  /**
   * Destroys what is held of these requests: details, snapshots, results, documents, notes of mails. One that is just
   * being sent is left alone until its ledger has an answer: `sending` tells how many there are. Locks the others;
   * `redacted` are those that were not redacted before, of which the ledger has to hear.
   */
  requests(
    ids: string[],
    at: Date,
  ): Promise<{ receipt: Receipt; redacted: string[]; sending: number }>;
  /** Destroys what is held of the buyers of these orders. Returns how many orders lost something. */
  orders(ids: OrderId[], at: Date): Promise<number>;
  /** Destroys data exports that were made for a customer, or of an order that the store names. */
  dataExports(subject: DataSubject): Promise<number>;
  /**
   * Destroys data exports that have something of these requests, orders and customers, and opens their privacy requests
   * again. Returns the messages that asked for them.
   */
  reopenExports(of: {
    requestIds: string[];
    orderIds: OrderId[];
    customerIds?: CustomerId[];
  }): Promise<string[]>;
  /** Destroys data exports that were made before then. */
  exportsBefore(before: Date): Promise<void>;
  /** Destroys data exports by the messages that asked for them. */
  exports(inboxIds: string[]): Promise<void>;
  /** Forgets whom the store merged with this customer. */
  merges(customerId: string): Promise<void>;
}
