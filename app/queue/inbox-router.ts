import { shopDomain } from "../modules/kernel/ids.ts";
import { openBody } from "../modules/kernel/postgres/inbox.ts";
import type { StoreMessageReader } from "../modules/orders/store-message.ts";
import type { Job } from "../modules/reports/jobs.ts";
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
  /** Only for a topic whose body says what to do. */
  bodySealed: Buffer | null;
  installed: boolean;
  /** The step of a trace in which it arrived. */
  traceparent: string | null;
}

/** `done`: nothing is left to do but the job, if any, and the body can go. */
export interface Decision {
  state: "done" | "queued";
  job: Job | null;
}

export interface InboxRouter {
  /** Topics whose bodies are needed to decide. */
  topics: readonly string[];
  /** Decides the outcome of a message. In doubt the message has a job of its own, which tells what is wrong. */
  decide(message: ReceivedMessage): Promise<Decision>;
}

/**
 * Most messages of a store call for one job or for none. That is decided here for many of them in one
 * transaction, rather than by a job and a transaction for each, which cost twenty times as much: intake shares
 * the processors with what it has taken in. Everything else has its own job (modules/orders/handle-webhook.ts,
 * which decides the same way).
 */
export function createInboxRouter({
  sealers,
  topics,
  readMessage,
  logger,
}: {
  sealers: Sealers;
  topics: readonly string[];
  readMessage: StoreMessageReader;
  logger: Logger;
}): InboxRouter {
  const decide: InboxRouter["decide"] = async (message) => {
    const shop = shopDomain(message.shop);
    if (!shop) throw new Error("A message was stored without its shop");
    const { id: inboxId, source, topic, bodySealed, installed } = message;
    if (source !== "shopify")
      return { state: "queued", job: { name: "handle-service-event", shop, inboxId } };
    const ownJob: Decision = { state: "queued", job: { name: "handle-webhook", shop, inboxId } };
    if (!topics.includes(topic)) return { state: "done", job: null };
    // Before the install, orders are kept back.
    if (!installed || !bodySealed) return ownJob;
    try {
      const sealer = sealers.remembered(shop) ?? (await sealers.forShop(shop));
      const body = openBody(sealer, message, bodySealed);
      const meaning = readMessage(topic, body);
      if (meaning.kind !== "order_changed") return ownJob;
      const { orderId } = meaning;
      return { state: "done", job: { name: "reconcile-order", shop, orderId } };
    } catch (error) {
      // Its own job meets the same error, and is tried again and shown until it is mended.
      tolerate(logger, "inbox-router.decide")(error);
      return ownJob;
    }
  };
  return { topics, decide };
}
