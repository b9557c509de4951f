import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from "node:crypto";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** 256 bits by default: not to be guessed, and nothing can be told from the hash. */
const token = (bytes = 32) => randomBytes(bytes).toString("base64url");

/**
 * Every secret that Pathway makes for somebody to show again, by its purpose (docs/decisions/0030). Each purpose is
 * looked up in its own table, so a secret of one purpose never opens what another is for.
 */
const SECRETS = {
  /** Mailed. Lets one browser or program in, once. */
  access_link: { make: token, lifetimeMs: 14 * 24 * HOUR_MS },
  /** Kept by the browser that an access link let in. A program keeps the link's own token. */
  guest_session: { make: token, lifetimeMs: 2 * HOUR_MS },
  /** Opens one document, once, for a browser that cannot send a token. */
  document_ticket: { make: token, lifetimeMs: MINUTE_MS },
  /** Opens a download of everything, once, for a browser that cannot send a token. */
  export_ticket: { make: token, lifetimeMs: MINUTE_MS },
  /** Opens one result for a doctor, many times, with its passcode. The owner chooses its end. */
  share_link: { make: token, lifetimeMs: null },
  /** Digits that a doctor types. The link is no secret to whoever passes it on, so wrong tries are counted. */
  share_passcode: {
    make: () => String(randomInt(100_000_000)).padStart(8, "0"),
    lifetimeMs: null,
  },
  /** Mailed digits. Few enough to be guessed: only a keyed hash of them is stored, and tries are counted. */
  step_up_code: {
    make: () => String(randomInt(1_000_000)).padStart(6, "0"),
    lifetimeMs: 10 * MINUTE_MS,
  },
  /** The service's address for events of one connection. Ends with the connection. */
  event_address: { make: () => token(24), lifetimeMs: null },
  /** Marks the inline scripts of one document as ours. Ends with the document. */
  script_nonce: { make: () => token(16), lifetimeMs: null },
} as const;

export type SecretPurpose = keyof typeof SECRETS;
type ExpiringPurpose = Exclude<
  SecretPurpose,
  "event_address" | "script_nonce" | "share_link" | "share_passcode"
>;

/** Makes a secret. It is given to its owner and stored nowhere. */
export const newSecret = (purpose: SecretPurpose): string => SECRETS[purpose].make();

/** How long a secret of this purpose counts, in milliseconds. */
export const lifetimeMs = (purpose: ExpiringPurpose): number => SECRETS[purpose].lifetimeMs;

/** When a secret that is made now ends by itself. */
export const expiryOf = (purpose: ExpiringPurpose, now: Date): Date =>
  new Date(now.getTime() + lifetimeMs(purpose));

/** How far two clocks of one time may be apart. */
const SET_BACK_MS = 60_000;

/** The latest moment at which anything can have been made by a clock that was not set back since. */
export const latestMade = (now: Date): Date => new Date(now.getTime() + SET_BACK_MS);

/**
 * Whether something was made before the clock was set back, as it was made later than now. Nobody knows how long ago that is, so
 * it neither opens anything nor keeps anybody out until the clock is where it was.
 */
export const isBeforeSetBack = (madeAt: Date, now: Date): boolean => madeAt > latestMade(now);

/** Whether a secret that ends then is in its time: it has not ended, and ends no later than one that is made now. */
export const isInItsTime = (purpose: ExpiringPurpose, expiresAt: Date, now: Date): boolean =>
  expiresAt > now && !isBeforeSetBack(new Date(expiresAt.getTime() - lifetimeMs(purpose)), now);

/** The stored form of a secret that cannot be guessed. The form must not change: mailed links are found by it. */
export const hashSecret = (secret: string | Buffer): Buffer =>
  createHash("sha256").update(secret).digest();

/** Compares without telling by its duration where two secrets differ, or whether one is longer. */
export const equalSecrets = (given: string | Buffer, expected: string | Buffer): boolean =>
  timingSafeEqual(hashSecret(given), hashSecret(expected));

/** The form of a token of 256 bits in addresses, cookies and bearers, as the source of a regular expression. */
export const TOKEN_FORM = "[\\w-]{43}";

/** Why a stored secret is good no more. A purpose may have further reasons of its own. */
export const SECRET_ENDS = ["revoked", "superseded", "used", "expired"] as const;
export type SecretEnd = (typeof SECRET_ENDS)[number];

/** The stored life of a secret. A purpose that is never revoked, replaced or used up leaves that field out. */
export interface SecretLife {
  expiresAt: Date;
  usedAt?: Date | null;
  revokedAt?: Date | null;
  supersededAt?: Date | null;
}

/** Why a secret has ended, by the reason that nothing can undo first; null while it is good. */
export function endOfSecret(life: SecretLife, now: Date): SecretEnd | null {
  if (life.revokedAt) return "revoked";
  if (life.supersededAt) return "superseded";
  if (life.usedAt) return "used";
  return life.expiresAt <= now ? "expired" : null;
}

/** The texts that Pathway signs instead of storing. Each holds its purpose, so no signature passes for another. */
const SIGNED = { form: "form ", webhook_body: "webhook body\n" } as const;

/** Signs a text with a key that only Pathway, and whoever gave it the key, knows. */
export const signFor = (
  purpose: keyof typeof SIGNED,
  key: string,
  content: string | Buffer,
): Buffer => createHmac("sha256", key).update(SIGNED[purpose]).update(content).digest();
