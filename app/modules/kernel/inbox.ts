import type { OrderId } from "./ids.ts";

/** A message that was stored before it was answered. */
export interface InboxMessage {
  id: string;
  source: "shopify" | "service";
  /** Shopify's topic, or the environment of the service that sent it. */
  topic: string;
  eventId: string;
  triggeredAt: Date | null;
  receivedAt: Date;
  body: Buffer;
}

/** Why a signed message of the store is not acted on. */
export type MessageRefusal =
  /** The body names another shop than the header, or none. */
  | "other_shop"
  /** The body names another store than the one whose rows these are, under the same name. */
  | "other_store"
  /** The same body came under another topic, or from another shop. */
  | "seen_before"
  | "no_time"
  | "from_the_future"
  | "too_old"
  /** The store was asked, and says otherwise. */
  | "not_confirmed";

/** Messages that were not acted on, by why: `unreadable`, or a code of `MessageRefusal`. */
export type RefusedMessages = { reason: string; count: number; lastAt: Date }[];

/** The outcome of an event of the service: no value of it, and nothing of a person. */
export interface ToldEvent {
  /** Null for one that the interface does not know. */
  eventType: string | null;
  /** The referral or result that it names. */
  about: string | null;
  ledTo: "fetch" | "nothing" | "comparison" | "self_test";
}

/** An order as the message says that tells of its payment: enough to name it to a person. */
export interface PaidOrder {
  /** The order's name as people know it. */
  name: string;
  placedAt: Date;
  /** The store's own time of the change. */
  changedAt: Date;
  test: boolean;
}

/** The parts of a message about an order that are kept for a shop which is not installed yet. */
export interface ParkedOrder {
  orderId: OrderId;
  /** Where the message told of a payment. */
  paid?: PaidOrder;
}

export interface InboxRepository {
  /** Null when it was handled already. */
  find(id: string): Promise<InboxMessage | null>;
  /** Whether the message's body came also under another topic or from another shop, and was not refused there. */
  cameOtherwise(id: string): Promise<boolean>;
  /** Messages refused since then, the newest first. */
  refusedSince(since: Date): Promise<RefusedMessages>;
  /** The state of a message; null when the message never came. */
  stateOf(message: Pick<InboxMessage, "source" | "topic" | "eventId">): Promise<string | null>;
  /** Ends a message and empties its body, which holds personal data. `told`: what stays known of an event. */
  finish(id: string, state: "done" | "unreadable", told?: ToldEvent): Promise<void>;
  /** Ends a message that was not acted on, says why, and empties its body. */
  refuse(id: string, refusal: MessageRefusal): Promise<void>;
  /**
   * Keeps a message about an order until the shop is installed, and of its body the order's id and payment only: what it
   * says about the buyer is not kept for as long as that takes.
   */
  park(id: string, order: ParkedOrder): Promise<void>;
  /** Keeps an order to be read until the shop is installed, when all that is known of it is its id, or its payment besides. */
  parkOrder(orderId: OrderId, paid?: PaidOrder): Promise<void>;
  /** Lets parked messages in again. Returns how many. */
  unpark(): Promise<number>;
}
