/**
 * Every limit of what comes in from outside, in one place (docs/decisions/0044). Counts of requests are for each process: one
 * shared count would cost every request a statement, and a flood would flood the database with it.
 */

const KB = 1024;
const MB = 1024 * KB;

/** The longest bodies, by what they are for. */
export const MAX_BODY_BYTES = {
  /** Shopify's largest order payloads stay well below this. */
  webhook: 5 * MB,
  /** An event of the service is a hint. Some shapes carry the resource. */
  event: 1 * MB,
  /** Far more than the longest form of ours. */
  form: 256 * KB,
  /** A file of mappings (5 MB) in its form. A file that is a little too large is told so by its page. */
  upload: 8 * MB,
} as const;

/** Parts of an uploaded form. Each takes memory, however small. */
export const MAX_UPLOAD_PARTS = 5;

/** Bodies up to here have places of their own, which no large one takes. Nearly all genuine messages are smaller. */
export const SMALL_BODY_BYTES = 64 * KB;

export interface IntakeLimits {
  /** Messages for which the database is at work at one time. */
  messages: number;
  /** The share of those places that one shop may take. */
  shareOfOneShop: number;
  /** Addresses of events being looked up that nobody has used yet, and how many more are each second. */
  lookups: number;
  lookupsPerSecond: number;
  /** Bytes of bodies up to `SMALL_BODY_BYTES` that are here, whole or in part, and not yet stored. */
  smallBytes: number;
  /** The same of larger ones, and of bodies that do not tell their length. */
  largeBytes: number;
  /**
   * How fast those come, all together. Reading and hashing them takes the processor, and a forged one is known only when it
   * is whole. What comes within `graceMs × 4` has room in `largeBytes`, so that nobody's large body is refused meanwhile.
   */
  largeBytesPerSecond: number;
  /** A body that has been coming for so long gives up its place when another needs it. */
  graceMs: number;
  /** Nobody listens for longer: the service gives up after 3 s, Shopify after 5 s. */
  readMs: number;
  storeMs: number;
}

export const INTAKE_LIMITS: IntakeLimits = {
  messages: 500,
  shareOfOneShop: 0.8,
  lookups: 20,
  lookupsPerSecond: 200,
  smallBytes: 16 * MB,
  largeBytes: 48 * MB,
  largeBytesPerSecond: 24 * MB,
  graceMs: 500,
  readMs: 5_000,
  storeMs: 2_500,
};

/**
 * Shops of which nothing is here yet, by the messages that name them: whoever has one signed message can send it in the name
 * of any. Each has keys made, and a message that waits for its install. A shop is known once it has opened the app.
 */
export const NEW_SHOPS = { perSecond: 0.05, waiting: 0, burst: 20 } as const;

/** The intake's own connections: two statements that write, and two that look up. */
export const INTAKE_CONNECTIONS = 4;

/**
 * Answers to refused messages and calls, for all senders together. More have to wait, and so does who sends them. So many
 * bytes of a small body count as one more.
 */
export const REFUSALS = { perSecond: 1_500, waiting: 4_000, bytes: 16 * KB } as const;

export interface RateLimit {
  points: number;
  durationSeconds: number;
}

/** Requests by who asks. Signed ones are never counted for their address. */
export const RATES = {
  /** A customer who is signed in. */
  customer: { points: 100, durationSeconds: 3 },
  /** The one whom a mailed link let in. */
  link: { points: 100, durationSeconds: 3 },
  /** A member of staff: one page of the admin asks several times. */
  staff: { points: 200, durationSeconds: 2 },
  /** All signed requests of one shop. */
  shop: { points: 2_000, durationSeconds: 2 },
  /** One address, and all of them, without a token that is good. */
  address: { points: 300, durationSeconds: 5 },
  everyone: { points: 600, durationSeconds: 5 },
  /** Files of the admin's pages, by address. */
  assets: { points: 1_500, durationSeconds: 10 },
} as const satisfies Record<string, RateLimit>;

export type Rate = keyof typeof RATES;

/** Pages for people without a token that are made at one time, and how many more wait. */
export const ANONYMOUS_PAGES = { atOnce: 2, waiting: 100 } as const;

/** Lookups of tokens that this process has not seen yet. */
export const TOKEN_LOOKUPS = { atOnce: 2, everyMs: 10, waiting: 100, remembered: 10_000 } as const;

/** Limits of a connection before its request is there, in milliseconds. */
export const SOCKET_LIMITS = {
  headersMs: 10_000,
  requestMs: 30_000,
  checkEveryMs: 2_000,
  /** How long the rest of a refused body may take to pass. */
  drainMs: 2_000,
  /** Connections of one process that may rest between two requests. */
  mostKept: 2_000,
} as const;
