import { createHmac } from "node:crypto";
import type { Webhook } from "./webhook-store.ts";

/**
 * The bytes of a Standard Webhooks secret: base64 after an optional "whsec_", or the text itself
 * when it is not base64.
 */
function standardKey(secret: string): Buffer {
  const encoded = secret.startsWith("whsec_") ? secret.slice("whsec_".length) : secret;
  const bytes = Buffer.from(encoded, "base64");
  const canonical = bytes.toString("base64").replace(/=+$/, "") === encoded.replace(/=+$/, "");
  return canonical && bytes.length > 0 ? bytes : Buffer.from(secret);
}

/** The header that carries the signature when the organisation names none. */
export const defaultHeaders: Record<Webhook["scheme"], string> = {
  "standard-webhooks": "webhook-signature",
  "hmac-hex": "x-signature",
  "hmac-base64": "x-signature",
  "shared-secret": "x-webhook-secret",
  none: "",
};

/**
 * The headers that prove who sent a delivery, in the scheme of the webhook. Only Standard Webhooks has room for the
 * signatures of two secrets; the others sign with the new one.
 */
export function signatureHeaders(
  webhook: Webhook,
  delivery: { eventId: string; timestampSeconds: number; body: string },
): Record<string, string> {
  const header = webhook.header ?? defaultHeaders[webhook.scheme];
  const hmac = (encoding: "hex" | "base64") =>
    createHmac("sha256", webhook.secret).update(delivery.body).digest(encoding);
  switch (webhook.scheme) {
    case "standard-webhooks": {
      const { eventId, timestampSeconds, body } = delivery;
      const sign = (secret: string) =>
        `v1,${createHmac("sha256", standardKey(secret)).update(`${eventId}.${timestampSeconds}.${body}`).digest("base64")}`;
      // While a secret changes, either one verifies.
      const secrets = [webhook.secret, webhook.previousSecret].flatMap((secret) => secret ?? []);
      return {
        "webhook-id": eventId,
        "webhook-timestamp": String(timestampSeconds),
        [header]: secrets.map(sign).join(" "),
      };
    }
    case "hmac-hex":
      return { [header]: hmac("hex") };
    case "hmac-base64":
      return { [header]: hmac("base64") };
    case "shared-secret":
      return { [header]: webhook.secret };
    case "none":
      return {};
  }
}
