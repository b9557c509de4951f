import { type ShopDomain, shopDomain } from "../modules/kernel/ids.ts";
import type { ToldEvent } from "../modules/kernel/inbox.ts";
import { openBody } from "../modules/kernel/postgres/inbox.ts";
import { paidLate } from "../modules/orders/paid-late.ts";
import type { StoreMessageReader } from "../modules/orders/store-message.ts";
import type { ServiceEventReader } from "../modules/referrals/event-types.ts";
import { followOf } from "../modules/referrals/follow-event.ts";
import type { Job } from "../modules/reports/jobs.ts";
import { ENVIRONMENTS } from "../modules/shops/connection.ts";
import type { Clock } from "../platform/clock.ts";
import type { Sealers } from "../platform/encryption/sealers.ts";
import type { Logger } from "../platform/logger.ts";
import { tolerate } from "../platform/tolerate.ts";

/** A stored message as the relay finds it. */
export interface ReceivedMessage {
  shop: string;
  id: string;
  source: string;
  topic: string;
  eventId: string;
  /** Only for an event of the service, and for a topic whose body says what to do. */
  bodySealed: Buffer | null;
  installed: boolean;
  /** For an event of the service: whether the row of its connection is locked, on which it counts. */
  connectionHeld: boolean;
  /** The step of a trace in which it arrived. */
  traceparent: string | null;
}

/** Work that a message calls for, and how long it waits for others of its kind. */
export interface Wanted {
  job: Job;
  restMs?: number;
}

/** `done`: nothing is left to do but the jobs, if any, and the body can go. */
export interface Decision {
  state: "done" | "queued";
  jobs: Wanted[];
  /** The part that stays known of a service event without a job of its own: it counts on its connection. */
  told?: ToldEvent;
}

export interface InboxRouter {
  /** Topics whose bodies are needed to decide. */
  topics: readonly string[];
  /** Decides the outcome of a message. In doubt the message has a job of its own, which tells what is wrong. */
  decide(message: ReceivedMessage): Promise<Decision>;
}

/**
 * Most messages call for a job that their bodies name, or for none. That is decided here for many of them in one
 * transaction, rather than by a job and a transaction for each, which cost twenty times as much: intake shares
 * the processors with what it has taken in. Everything else has its own job (modules/orders/handle-webhook.ts and
 * modules/referrals/handle-service-event.ts, which decide the same way).
 */
export function createInboxRouter({
  sealers,
  topics,
  readMessage,
  readEvent,
  logger,
  clock,
}: {
  sealers: Sealers;
  topics: readonly string[];
  readMessage: StoreMessageReader;
  readEvent: ServiceEventReader;
  logger: Logger;
  clock: Clock;
}): InboxRouter {
  const openOf = async (shop: ShopDomain, message: ReceivedMessage, sealed: Buffer) => {
    const sealer = sealers.remembered(shop) ?? (await sealers.forShop(shop));
    return openBody(sealer, message, sealed);
  };
  const decideMessage = async (
    shop: ShopDomain,
    message: ReceivedMessage,
  ): Promise<Decision | null> => {
    const { topic, bodySealed, installed } = message;
    if (!topics.includes(topic)) return { state: "done", jobs: [] };
    // Before the install, orders are kept back.
    if (!installed || !bodySealed) return null;
    const meaning = readMessage(topic, await openOf(shop, message, bodySealed));
    if (meaning.kind !== "order_changed" || paidLate(meaning, clock.now())) return null;
    const { orderId } = meaning;
    return { state: "done", jobs: [{ job: { name: "reconcile-order", shop, orderId } }] };
  };
  const decideEvent = async (
    shop: ShopDomain,
    message: ReceivedMessage,
  ): Promise<Decision | null> => {
    const { topic, eventId, bodySealed, installed, connectionHeld } = message;
    const environment = ENVIRONMENTS.find((one) => one === topic);
    // A writer of the connection is not waited for here: the event's own job does that.
    if (!environment || !connectionHeld || !installed || !bodySealed) return null;
    const hint = readEvent(await openOf(shop, message, bodySealed));
    const follow = followOf({ eventId, hint }, { shop, environment });
    return follow && { state: "done", jobs: follow.looks, told: follow.told };
  };
  const decide: InboxRouter["decide"] = async (message) => {
    const shop = shopDomain(message.shop);
    if (!shop) throw new Error("A message was stored without its shop");
    const { id: inboxId, source } = message;
    const isEvent = source !== "shopify";
    const name = isEvent ? "handle-service-event" : "handle-webhook";
    const ownJob: Decision = { state: "queued", jobs: [{ job: { name, shop, inboxId } }] };
    try {
      return (await (isEvent ? decideEvent : decideMessage)(shop, message)) ?? ownJob;
    } catch (error) {
      // Its own job meets the same error, and is tried again and shown until it is mended.
      tolerate(logger, "inbox-router.decide")(error);
      return ownJob;
    }
  };
  return { topics, decide };
}
