import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { DEFAULT_SIGNATURE_HEADER, type EventScheme } from "./verify-event.ts";

/** Signs a delivery as the service would, for the self-test: the counterpart of `verifyEvent`. */
export function signEvent(delivery: {
  body: string;
  eventId: string;
  signing: { scheme: EventScheme; header: string | null; secret: string | null };
  now: Date;
}): Record<string, string> {
  const { body, eventId, now, signing } = delivery;
  const { scheme, secret } = signing;
  if (scheme === "none" || !secret) return {};
  const header = signing.header || DEFAULT_SIGNATURE_HEADER[scheme];
  switch (scheme) {
    case "shared-secret":
      return { [header]: secret };
    case "hmac-hex":
    case "hmac-base64": {
      const encoding = scheme === "hmac-hex" ? "hex" : "base64";
      return { [header]: createHmac("sha256", secret).update(body).digest(encoding) };
    }
    case "standard-webhooks": {
      const prefix = header.replace(/signature$/i, "");
      const key = new Webhook(new Uint8Array(Buffer.from(secret)), { format: "raw" });
      return {
        [`${prefix}id`]: eventId,
        [`${prefix}timestamp`]: String(Math.floor(now.getTime() / 1000)),
        [header]: key.sign(eventId, now, body),
      };
    }
  }
}
