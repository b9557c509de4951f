import { createHmac, randomBytes } from "node:crypto";
import type { Clock } from "../clock.ts";
import { sameText } from "../storage/secrets.ts";
import type { Settings } from "../storage/settings.ts";

/** How long an address works after it was handed out (interface §8: time-limited). */
const addressLifetimeSeconds = 900;

/** A PDF that can be downloaded: the edition is part of it, so an old address never shows a new one. */
export interface Attachment {
  kind: "referral" | "result";
  uuid: string;
  edition: number;
}

export interface SignedAddresses {
  sign(attachment: Attachment): string;
  /** Whether path and query are an unexpired address of this service. */
  isValid(attachment: Attachment, query: URLSearchParams): boolean;
}

/** Makes and checks time-limited addresses; each call makes a new one. */
export function createSignedAddresses(options: {
  settings: Settings;
  clock: Clock;
  baseUrl: () => string;
}): SignedAddresses {
  const { settings, clock, baseUrl } = options;
  const key = settings.get("attachmentKey") ?? randomBytes(32).toString("base64url");
  settings.set("attachmentKey", key);
  const signature = (attachment: Attachment, expires: string, nonce: string) =>
    createHmac("sha256", key)
      .update(
        JSON.stringify([attachment.kind, attachment.uuid, attachment.edition, expires, nonce]),
      )
      .digest("hex");
  return {
    sign(attachment) {
      const expires = String(Math.floor(clock.nowMs() / 1000) + addressLifetimeSeconds);
      const nonce = randomBytes(6).toString("hex");
      const query = new URLSearchParams({
        expires,
        nonce,
        signature: signature(attachment, expires, nonce),
      });
      return `${baseUrl()}/attachments/${attachment.kind}/${attachment.uuid}/${attachment.edition}.pdf?${query}`;
    },
    isValid(attachment, query) {
      const expires = query.get("expires") ?? "";
      const expected = signature(attachment, expires, query.get("nonce") ?? "");
      if (!sameText(query.get("signature") ?? "", expected)) return false;
      return Number(expires) * 1000 > clock.nowMs();
    },
  };
}
