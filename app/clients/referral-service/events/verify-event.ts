import { isUtf8 } from "node:buffer";
import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { equalSecrets } from "../../../modules/kernel/secret.ts";
import type { Clock } from "../../../platform/clock.ts";
import { type EventHeaders, headerValue } from "./event-headers.ts";

/** How deliveries can be signed; the interface does not show which one the service uses (§6, gaps). */
export const EVENT_SCHEMES = [
  "standard-webhooks",
  "hmac-hex",
  "hmac-base64",
  "shared-secret",
  "none",
] as const;
export type EventScheme = (typeof EVENT_SCHEMES)[number];

/** Signing settings of one connection. While a secret is being replaced, those before it are listed too. */
export interface EventSigning {
  scheme: EventScheme;
  secrets: readonly string[];
  /** Header with the signature or secret; DEFAULT_SIGNATURE_HEADER of the scheme when null. */
  header: string | null;
}

/** The settings of a connection for checking, with every secret that counts at the moment. */
export const eventSigning = (stored: {
  scheme: EventScheme;
  header: string | null;
  secret: string | null;
  previousSecrets?: readonly string[];
}): EventSigning => ({
  scheme: stored.scheme,
  header: stored.header,
  secrets: [stored.secret, ...(stored.previousSecrets ?? [])].flatMap((secret) => secret ?? []),
});

export const DEFAULT_SIGNATURE_HEADER: Readonly<Record<Exclude<EventScheme, "none">, string>> = {
  "standard-webhooks": "webhook-signature",
  "hmac-hex": "x-signature",
  "hmac-base64": "x-signature",
  "shared-secret": "x-webhook-secret",
};

export type EventVerification =
  | { kind: "verified" }
  | { kind: "refused"; reason: "no_secret" | "no_signature" | "stale" | "bad_signature" };

/** Replay window of the scheme that carries a timestamp, in milliseconds to either side. */
const REPLAY_WINDOW_MS = 5 * 60 * 1000;

const VERIFIED: EventVerification = { kind: "verified" };

/** Whether a delivery carries what could be a signature of its scheme. Known before its body is read. */
export function isSignedInForm(
  headers: EventHeaders,
  { scheme, header }: Pick<EventSigning, "scheme" | "header">,
): boolean {
  if (scheme === "none") return true;
  const given = headerValue(headers, header || DEFAULT_SIGNATURE_HEADER[scheme]);
  return given !== null && SIGNATURE_FORMS[scheme].test(given);
}

const SIGNATURE_FORMS: Readonly<Record<Exclude<EventScheme, "none">, RegExp>> = {
  "standard-webhooks": /(^| )v1,[A-Za-z0-9+/]{43}=( |$)/,
  "hmac-hex": /^(sha256=)?[0-9a-f]{64}$/i,
  "hmac-base64": /^(sha256=)?[A-Za-z0-9+/]{43}=$/,
  "shared-secret": /./,
};

/**
 * Whether a delivery comes from somebody who knows the secret. Speaks about nothing but that: the body is
 * read by `readEvent`. Every comparison takes the same time wherever it differs.
 */
export function verifyEvent(delivery: {
  rawBody: Buffer;
  headers: EventHeaders;
  signing: EventSigning;
  clock: Clock;
}): EventVerification {
  const { rawBody, headers, signing, clock } = delivery;
  const { scheme } = signing;
  if (scheme === "none") return VERIFIED;
  // An empty secret would let anybody sign.
  const secrets = signing.secrets.filter((secret) => secret !== "");
  if (secrets.length === 0) return { kind: "refused", reason: "no_secret" };
  const header = signing.header || DEFAULT_SIGNATURE_HEADER[scheme];
  const given = headerValue(headers, header);
  if (!given) return { kind: "refused", reason: "no_signature" };

  if (scheme === "standard-webhooks") {
    return verifyStandardWebhook({ rawBody, headers, header, given, secrets, now: clock.now() });
  }
  const genuine = secrets.some((secret) => {
    if (scheme === "shared-secret") return equalSecrets(given.replace(/^Bearer /i, ""), secret);
    const encoding = scheme === "hmac-hex" ? "hex" : "base64";
    const expected = createHmac("sha256", secret).update(rawBody).digest(encoding);
    return equalSecrets(given.replace(/^sha256=/, ""), expected);
  });
  return genuine ? VERIFIED : { kind: "refused", reason: "bad_signature" };
}

/** A header that is signed under Standard Webhooks. It stands beside the signature, whose header may be named otherwise ("svix-"). */
export function signedHeader(
  headers: EventHeaders,
  header: string | null,
  name: "id" | "timestamp",
): string | null {
  const prefix = (header || DEFAULT_SIGNATURE_HEADER["standard-webhooks"]).replace(
    /signature$/i,
    "",
  );
  return headerValue(headers, `${prefix}${name}`) ?? headerValue(headers, `webhook-${name}`);
}

/** standardwebhooks.com: id, time and body are signed together. */
function verifyStandardWebhook(delivery: {
  rawBody: Buffer;
  headers: EventHeaders;
  header: string;
  given: string;
  secrets: string[];
  now: Date;
}): EventVerification {
  const id = signedHeader(delivery.headers, delivery.header, "id");
  const seconds = signedHeader(delivery.headers, delivery.header, "timestamp");
  // Only plain digits, because only the number is signed: "1700000000x" would pass as 1700000000.
  if (!id || !seconds || !/^\d{1,12}$/.test(seconds)) {
    return { kind: "refused", reason: "no_signature" };
  }
  const at = new Date(Number(seconds) * 1000);
  if (Math.abs(delivery.now.getTime() - at.getTime()) > REPLAY_WINDOW_MS) {
    return { kind: "refused", reason: "stale" };
  }
  // Text is what gets signed, and every invalid byte would read as the same replacement character.
  if (!isUtf8(delivery.rawBody)) return { kind: "refused", reason: "bad_signature" };
  const genuine = delivery.secrets.flatMap(keysOf).some((key) => {
    const expected = key.sign(id, at, delivery.rawBody);
    return delivery.given.split(" ").some((signature) => equalSecrets(signature, expected));
  });
  return genuine ? VERIFIED : { kind: "refused", reason: "bad_signature" };
}

/** A secret is base64 by the standard, with or without "whsec_"; one that is not counts as it is written. */
function keysOf(secret: string): Webhook[] {
  const encoded = secret.replace(/^whsec_/, "").replace(/=+$/, "");
  const decoded = Buffer.from(encoded, "base64");
  const isBase64 = decoded.length > 0 && decoded.toString("base64").replace(/=+$/, "") === encoded;
  const keys = isBase64 ? [decoded, Buffer.from(secret)] : [Buffer.from(secret)];
  return keys.map((key) => new Webhook(new Uint8Array(key), { format: "raw" }));
}
