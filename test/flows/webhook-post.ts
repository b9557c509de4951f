import { createHmac, randomUUID } from "node:crypto";
import { INTAKE_LIMITS } from "../../app/web/limits.ts";
import type { TestWorld } from "../harness/index.ts";

export interface WebhookPost {
  topic: string;
  body: string;
  shop?: string;
  eventId?: string;
  triggeredAt?: Date;
  /** Signed with this instead of the app's own secret. */
  secret?: string;
}

/** Headers of a delivery as Shopify sends them, with the signature that belongs to the body. */
export function webhookHeaders({ line }: TestWorld, post: WebhookPost): Record<string, string> {
  const { topic, body, shop, eventId, triggeredAt, secret } = post;
  return {
    "content-type": "application/json",
    "user-agent": "Shopify-Captain-Hook",
    "x-shopify-topic": topic,
    "x-shopify-hmac-sha256": createHmac("sha256", secret ?? line.store.api_secret)
      .update(body)
      .digest("base64"),
    "x-shopify-shop-domain": shop ?? line.store.shop,
    "x-shopify-api-version": "2026-07",
    "x-shopify-webhook-id": randomUUID(),
    "x-shopify-event-id": eventId ?? randomUUID(),
    "x-shopify-triggered-at": (triggeredAt ?? new Date()).toISOString(),
  };
}

/** So often at most: Shopify sends a message for four hours. */
const MOST_DELIVERIES = 20;

/**
 * Delivers a webhook as Shopify does: a message that the database did not take in time is sent again, as the same message. Resolves with
 * the status of the last answer. That is 503 where the app refused it for another reason, which it does sooner.
 */
export async function deliverWebhook(world: TestWorld, given: WebhookPost): Promise<number> {
  const post = { eventId: randomUUID(), ...given };
  for (let delivery = 1; ; delivery++) {
    const sentAt = performance.now();
    const status = await postWebhook(world, post);
    const isForTime = status === 503 && performance.now() - sentAt >= INTAKE_LIMITS.storeMs;
    if (!isForTime || delivery === MOST_DELIVERIES) return status;
  }
}

/** Delivers a webhook of our own making to the app. Resolves with the status of its answer. */
export async function postWebhook(world: TestWorld, post: WebhookPost): Promise<number> {
  const response = await fetch(`${world.line.app_url}/webhooks`, {
    method: "POST",
    headers: webhookHeaders(world, post),
    body: post.body,
  });
  await response.body?.cancel();
  return response.status;
}
