import type { CustomerId, OrderId } from "../kernel/ids.ts";

export interface CustomerRepository {
  /**
   * Notes that the store merged one customer into another. Everything of the first (requests, documents, orders, saved
   * patients, data exports) goes to the customer who is left in the end: merges may be told late, twice, and in the wrong
   * order.
   */
  merge(from: CustomerId, into: CustomerId, at: Date): Promise<void>;
  /**
   * Gives all units of an order whose requests are locked, with the documents that its buyer sees, to this customer's account;
   * null: to nobody's. Returns whether they were somebody else's.
   */
  giveOrder(orderId: OrderId, to: CustomerId | null): Promise<boolean>;
  /** Returns the customer that this one is now. No merge is recorded until the transaction ends. */
  survivorOf(customerId: CustomerId): Promise<CustomerId>;
}
