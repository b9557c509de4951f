import { randomUUID } from "node:crypto";
import type { Platform } from "../platform.ts";
import type { ShopDocument } from "../state/shop.ts";
import { createEventIds } from "./event-ids.ts";
import { includeFields } from "./include-fields.ts";
import { rulesOfTopic, shapeProblems } from "./published-shape.ts";
import { redactPayload } from "./redact-payload.ts";
import { callbackUrl, complianceTopics } from "./subscription.ts";

const eventIdOf = createEventIds();

/**
 * Tells the app about something that happened in a shop: one delivery per subscription to the topic.
 *
 * Nothing is sent when the app is not installed (privacy topics apart), has no subscription to the topic, or lacks the
 * access scope or the approval that the topic needs, since Shopify refuses such a subscription.
 * Throws when the payload strays from the published shape: that is a bug of the sandbox.
 */
export function publish(
  platform: Platform,
  shop: ShopDocument,
  topic: string,
  payload: Record<string, unknown>,
): void {
  const { apiVersion } = platform.config;
  const problems = shapeProblems(apiVersion, topic, payload);
  if (problems.length > 0) {
    throw new Error(`${topic} strays from its published shape: ${problems.join("; ")}`);
  }
  const install = platform.data.installs.get(shop.id);
  if (!install || (!install.installed && !complianceTopics.has(topic))) return;
  if (!mayReceive(platform, topic, install.scopes)) {
    platform.log(`webhook ${topic} not sent: the app lacks the scope or the approval for it`);
    return;
  }
  const { needsCustomerData } = rulesOfTopic(apiVersion, topic);
  const whole = needsCustomerData ? redactPayload(payload, platform.approval) : payload;
  const eventId = eventIdOf(shop.id, topic, payload);
  for (const subscription of platform.config.subscriptions) {
    if (subscription.topic !== topic) continue;
    const url = callbackUrl(subscription, platform.appUrl);
    if (url === null) {
      platform.log(`webhook ${topic} not sent: the store does not know the app's URL`);
      continue;
    }
    platform.webhooks.send({
      id: randomUUID(),
      shop: shop.id,
      eventId,
      topic,
      url,
      apiVersion,
      // The app compares it with its own clock, which nobody advances.
      triggeredAt: new Date(platform.clock.wallMs()).toISOString(),
      payload: JSON.stringify(includeFields(whole, subscription.includeFields)),
    });
  }
}

/** Whether Shopify would accept a subscription to the topic from the app, had it these scopes. */
export function mayReceive(
  platform: Pick<Platform, "config" | "approval">,
  topic: string,
  granted: string[],
): boolean {
  const { scopes, needsCustomerData } = rulesOfTopic(platform.config.apiVersion, topic);
  const inScope = scopes.length === 0 || scopes.some((scope) => granted.includes(scope));
  return inScope && (platform.approval.customerData || !needsCustomerData);
}
