/**
 * Named places where a process may die, so that a test can have it die there (docs/decisions/0012). Each is a
 * line between two facts: what is on disk or at another system before it, and what is not yet.
 */
export const CRASH_POINTS = {
  "process.after-migrate": "the schema is current; nothing is served yet",
  "process.before-ready": "relay and workers run; nobody has been told that the process is ready",
  "process.stopping": "told to stop; work is still under way",
  "intake.before-insert": "a message is checked; it is not on disk",
  "intake.after-insert-before-answer": "a message is on disk; its sender has not been told",
  "intake.after-answer": "the sender has been told; nobody has been woken for the message",
  "relay.before-take": "a pass has begun; no row is taken",
  "relay.after-messages": "messages are settled in the open transaction; their jobs are not made",
  "relay.after-work": "outbox rows are deleted in the open transaction; their jobs are not made",
  "relay.before-commit": "rows and jobs are changed in one open transaction",
  "relay.after-commit": "jobs are there and rows are gone; no worker has been told",
  "job.before-start": "the engine has given the job to this process; its work has not begun",
  "job.after-work": "the job's work is done; the engine does not know",
  "webhook.before-commit": "a stored message is acted upon in an open transaction",
  "webhook.after-commit": "a stored message is acted upon; its job is not finished",
  "order.before-read": "the reading's moment is taken; the store has not been asked",
  "order.after-read": "the store has told the order; nothing is written",
  "order.after-record": "the order is written in the open transaction; its requests are not",
  "order.before-commit": "the order and all its requests are written in an open transaction",
  "order.after-commit": "requests exist; the job is not finished",
  "details.before-commit": "the patient's details are written in an open transaction",
  "details.after-commit":
    "details and the job that sends them are on disk; the shopper has not been told",
  "create.before-claim-commit": "the attempt is written in an open transaction",
  "create.after-claim-commit": "the attempt is on disk; no token is fetched, no byte sent",
  "create.before-deadline-check":
    "about to look at the clock for the last time before the first byte",
  "create.before-first-byte": "the clock allowed it; the request is being handed to the network",
  "create.after-headers": "the service has begun to answer; its answer is not read",
  "create.after-answer": "the answer is in memory and nowhere else",
  "create.before-record-commit": "what the answer proves is written in an open transaction",
  "create.after-record": "what the answer proves is on disk; the job is not finished",
  "adopt.after-save": "a referral is written in the open transaction; its request does not say so",
  "resolve.after-overdue": "a silent sender's attempt is on disk as ambiguous; nothing is scanned",
  "resolve.mid-scan": "some of the service's list is read",
  "resolve.after-scan": "the scan is complete, in memory only",
  "resolve.before-adopt": "a lost referral is found; nothing is written",
  "resolve.before-count-commit": "an empty scan is counted in an open transaction",
  "resolve.before-resend-commit": "leave to send again is written in an open transaction",
  "resolve.after-commit": "the verdict is on disk; the job is not finished",
  "events.before-commit": "an event is turned into a refetch in an open transaction",
  "events.after-commit": "an event's refetch is queued; the event's job is not finished",
  "referral.after-fetch": "a referral is read from the service; nothing is written",
  "referral.before-commit": "a referral is written in an open transaction",
  "referral.after-commit": "a referral is on disk; its form is not",
  "result.after-fetch": "a result is read from the service; nothing is written",
  "result.before-commit": "a result is written in an open transaction",
  "result.after-commit": "a result is on disk; its report is not",
  "documents.before-download": "a signed address is at hand; nothing is fetched",
  "documents.after-download": "a PDF is in memory",
  "documents.before-commit": "a PDF and the mail about it are written in an open transaction",
  "documents.after-commit": "a PDF is on disk; the job is not finished",
  "mail.before-send": "a mail is due; the outgoing server has not been asked",
  "mail.after-send-before-record": "the outgoing server has said yes; nothing says so on disk",
  "mail.after-record": "the mail is on record; the job is not finished",
  "tokens.before-refresh": "the lock is held; the service's tokens have not been asked for",
  "tokens.after-refresh-before-store":
    "the old refresh token is spent; the new one is in memory only",
  "session.before-refresh": "the lock is held; Shopify has not been asked for a new session",
  "session.after-refresh-before-store": "Shopify has given a new session; it is in memory only",
  "sync.mid-walk": "some of the service's list is compared; some repairs are queued",
  "sync.before-record": "the whole list is compared; nothing says so on disk",
  "install.before-commit": "an install and the work it wakes are written in an open transaction",
} as const satisfies Record<string, string>;

export type CrashPoint = keyof typeof CRASH_POINTS;

/** The reaction of a process that reaches a crash point; returns when the process lives on. */
export type AtCrashPoint = (point: CrashPoint) => void;

interface State {
  atPoint: AtCrashPoint | null;
}

declare global {
  var pathwayCrashPoints: State | undefined;
}

/**
 * One for the process, although Remix's build has a copy of this module of its own: routes call use cases, and
 * a process dies as a whole.
 */
const state = shared();

/** Marks a place where a process may die. Does nothing unless `armCrashPoints` was called. */
export function crashPoint(point: CrashPoint): void {
  state.atPoint?.(point);
}

/** From now on `atPoint` decides at each point; null disarms them all. */
export function armCrashPoints(atPoint: AtCrashPoint | null): void {
  state.atPoint = atPoint;
}

export const isCrashPoint = (name: string): name is CrashPoint => Object.hasOwn(CRASH_POINTS, name);

function shared(): State {
  globalThis.pathwayCrashPoints ??= { atPoint: null };
  return globalThis.pathwayCrashPoints;
}
