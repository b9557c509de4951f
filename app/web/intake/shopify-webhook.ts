import { createHmac } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { shopDomain } from "../../modules/kernel/ids.ts";
import { equalSecrets, signFor } from "../../modules/kernel/secret.ts";
import { isStorableTime } from "../../platform/storable.ts";
import type { NewInboxMessage } from "./inbox-writer.ts";

export type WebhookReading =
  | { kind: "message"; message: NewInboxMessage }
  | { kind: "bad_signature" }
  /** Signed by Shopify but without what every delivery carries. */
  | { kind: "malformed" };

/** Whether a delivery carries what could be a signature: 32 bytes in base64. Known before its body is read. */
export const isSignedInForm = (headers: IncomingHttpHeaders): boolean =>
  /^[A-Za-z0-9+/]{43}=$/.test(text(headers["x-shopify-hmac-sha256"]));

/**
 * Checks a delivery of Shopify's and reads its envelope. `secrets` are the app's current secret and, while it
 * is being rotated, the previous one.
 *
 * The check is made here and not by @shopify/shopify-app-remix, which loads and refreshes the shop's session
 * on the way and so can fail for a shop that is just leaving (docs/decisions/0004).
 */
export function readShopifyWebhook(
  headers: IncomingHttpHeaders,
  body: Buffer,
  secrets: readonly string[],
): WebhookReading {
  const secret = signingSecret(headers["x-shopify-hmac-sha256"], body, secrets);
  if (secret === null) return { kind: "bad_signature" };
  // The same secret signs session tokens: their signing input must never pass for a webhook.
  if (!isJsonObject(body)) return { kind: "malformed" };
  const topic = text(headers["x-shopify-topic"]);
  const shop = shopDomain(text(headers["x-shopify-shop-domain"]));
  const deliveryId = text(headers["x-shopify-webhook-id"]);
  // One event may be delivered under several topics, so the topic is part of its identity in the inbox.
  const eventId = text(headers["x-shopify-event-id"]) || deliveryId;
  if (!topic || !shop || !eventId) return { kind: "malformed" };
  const triggeredAt = new Date(text(headers["x-shopify-triggered-at"]));
  return {
    kind: "message",
    message: {
      shop,
      source: "shopify",
      topic,
      eventId,
      deliveryId: deliveryId || null,
      // The header is not signed. A time that can't be stored would have the message refused each time that it comes.
      triggeredAt: isStorableTime(triggeredAt) ? triggeredAt : null,
      body,
      bodyDigest: signFor("webhook_body", secret, body),
    },
  };
}

function isJsonObject(body: Buffer): boolean {
  try {
    const json: unknown = JSON.parse(body.toString("utf8"));
    return typeof json === "object" && json !== null && !Array.isArray(json);
  } catch {
    // The answer says so: 400.
    return false;
  }
}

/** The secret that the body was signed with; null when it is none of ours. */
function signingSecret(
  signature: string | string[] | undefined,
  body: Buffer,
  secrets: readonly string[],
): string | null {
  const given = Buffer.from(text(signature), "base64");
  // Decoding ends quietly at what it does not know: two signatures in one header would count as the first.
  if (given.toString("base64") !== signature) return null;
  // Every secret is tried, so that the time taken does not tell which one fits.
  const fits = secrets.map((secret) =>
    equalSecrets(given, createHmac("sha256", secret).update(body).digest()),
  );
  return secrets[fits.indexOf(true)] ?? null;
}

// A header that comes twice is no header of Shopify's.
function text(value: string | string[] | undefined): string {
  return typeof value === "string" && value.length <= 255 ? value : "";
}
