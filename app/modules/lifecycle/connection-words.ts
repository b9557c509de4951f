import { NOT_ANSWERED, type ReferralServiceFailure } from "../../platform/errors.ts";
import type { DescribeFailure, Words } from "../kernel/words.ts";
import { countOf } from "../kernel/words.ts";
import type { UnreadableEntry } from "../referrals/unreadable-entry.ts";
import type { ApiVersion, Connection, Environment, SigningScheme } from "../shops/connection.ts";
import {
  CONNECTION_UNREADABLE,
  CREDENTIALS_REFUSED,
  NOT_ENTITLED,
  TAKES_NO_ORDERS,
  UNREACHABLE_FROM_HERE,
} from "../shops/connection.ts";

export const ENVIRONMENT_NAMES: Record<Environment, string> = {
  staging: "Staging",
  production: "Production",
};

export const SIGNING_SCHEME_NAMES: Record<SigningScheme, string> = {
  "standard-webhooks": "Standard Webhooks",
  "hmac-hex": "HMAC-SHA256, hexadecimal",
  "hmac-base64": "HMAC-SHA256, Base64",
  "shared-secret": "Shared secret in a header",
  none: "Not signed",
};

const FAILURE_PREFIX = "referral_service_";

const CHECK_ADDRESS = "Whoever runs Pathway has to check the service’s address.";

/** A test is over when it failed: unlike an order, nobody tries it again. */
const TEST_FAILURES: Partial<Record<ReferralServiceFailure | typeof NOT_ENTITLED, Words>> = {
  connection: {
    sentence: "The referral service could not be reached.",
    nextStep: `Try again in a minute. ${CHECK_ADDRESS}`,
  },
  timeout: {
    sentence: "The referral service took too long to answer.",
    nextStep: "Try again in a minute. Paid orders wait meanwhile, and go on by themselves.",
  },
  rate_limited: {
    sentence: "The referral service asked Pathway to slow down.",
    nextStep: "Try again in a minute.",
  },
  rejected: {
    sentence: "The referral service refused to say what can be ordered.",
    nextStep: "Try again. If it’s refused again, contact the service’s support.",
  },
  not_found: {
    sentence: "The referral service isn’t at the address that Pathway has for it.",
    nextStep: CHECK_ADDRESS,
  },
  server: {
    sentence: "The referral service had an internal problem.",
    nextStep: "Try again in a few minutes. If it stays so, contact the service’s support.",
  },
  contract_mismatch: {
    sentence: "Something other than the referral service answered.",
    nextStep: CHECK_ADDRESS,
  },
  [NOT_ENTITLED]: {
    sentence: "The service knows this API key, but doesn’t let it order tests.",
    nextStep:
      "Check in the service that your organisation may order tests, or ask the service’s support. Then test again.",
  },
};

/** Nothing reached the service: a test and every call are stopped alike. */
const UNREADABLE: Words = {
  sentence: "Pathway can’t read the credentials that are stored here.",
  nextStep:
    "Enter the client ID and the client secret again in the settings, and save them. If they can’t be saved, contact whoever runs Pathway.",
};

const UNREACHABLE: Words = {
  sentence: "The service can’t be reached from the server that Pathway runs on.",
  nextStep: "You don’t have to do anything. Pathway’s operator has been told.",
};

const NO_ORDERS = "The referral service answers other calls, but takes no orders.";

/** Words for a stored outcome of "Test connection"; null when it passed or was never run. */
export function describeTestOutcome(
  outcome: string | null,
  describeFailure: DescribeFailure,
): Words | null {
  if (outcome === null || outcome === "ok") return null;
  if (outcome === CONNECTION_UNREADABLE) return UNREADABLE;
  if (outcome === UNREACHABLE_FROM_HERE) return UNREACHABLE;
  if (outcome === NOT_ENTITLED) return TEST_FAILURES[NOT_ENTITLED] ?? null;
  if (!outcome.startsWith(FAILURE_PREFIX)) return describeFailure({ serviceCode: outcome });
  const failure = outcome.slice(FAILURE_PREFIX.length) as ReferralServiceFailure;
  return TEST_FAILURES[failure] ?? describeFailure({ failure });
}

/** Whether a test ended without an answer: it says nothing of the credentials. */
export const isUnanswered = (outcome: string | null): boolean =>
  ["connection", "timeout", "server"].some((failure) => outcome === `${FAILURE_PREFIX}${failure}`);

/** Codes of the token service (interface §7.4): a call that was answered later had a token. */
const TOKEN_CODE = /^1\d\d$/;

/**
 * Words for the last test as long as it says something of now; null once it passed, or a later call was answered. Only
 * whether something may be ordered does no other call tell.
 */
export function describeTestNow(
  {
    lastTestOutcome,
    lastTestedAt,
    answeredAt,
    failing,
  }: Pick<Connection, "lastTestOutcome" | "lastTestedAt" | "answeredAt" | "failing">,
  describeFailure: DescribeFailure,
): Words | null {
  const isAnswered =
    failing === null && answeredAt !== null && lastTestedAt !== null && answeredAt > lastTestedAt;
  const code = lastTestOutcome ?? "";
  const isAboutCalls =
    TOKEN_CODE.test(code) ||
    code === CONNECTION_UNREADABLE ||
    [...NOT_ANSWERED].some((failure) => code === `${FAILURE_PREFIX}${failure}`);
  if (isAnswered && isAboutCalls) return null;
  return describeTestOutcome(lastTestOutcome, describeFailure);
}

/** When the service answered last: calls are written down some seconds later, and a test that passed at once. */
export function lastAnsweredAt({
  answeredAt,
  lastTestOutcome,
  lastTestedAt,
}: Pick<Connection, "answeredAt" | "lastTestOutcome" | "lastTestedAt">): Date | null {
  const passedAt = lastTestOutcome === "ok" ? lastTestedAt : null;
  return passedAt && (answeredAt === null || passedAt > answeredAt) ? passedAt : answeredAt;
}

/** Calls that fail for shorter than that may be a passing trouble. */
const DOWN_AFTER_MS = 2 * 60_000;

/** The service as calls found it lately, in a merchant's words. */
export interface OutageWords extends Words {
  title: string;
  /** The title in two or three words. */
  badge: string;
  since: Date;
  /** What Pathway does without anybody. */
  byItself: string;
  /** Where the next step is done; null where there is nothing to do. */
  action: { content: string; url: string } | null;
  /** Whether it is more than a passing trouble. */
  isDown: boolean;
}

/** So many tests that wait for the service are counted; one more means more. */
export const MAX_UNSETTLED_COUNTED = 1000;

function describeWaiting(count: number): string {
  if (count === 0) return "";
  const tests = count > MAX_UNSETTLED_COUNTED ? "More than 1,000 tests" : countOf(count, "test");
  return `${tests} ${count === 1 ? "waits" : "wait"} for it. `;
}

function whatGoesOn(code: string, isStopped: boolean, elsewhere: Environment | null): string {
  if (code === TAKES_NO_ORDERS)
    return `${elsewhere ? "New orders are not affected" : "Paid orders are stored and sent by themselves once it takes them"}. Everything else goes on.`;
  if (elsewhere)
    return `New orders are not affected. News of the tests that are under way there ${isStopped ? "doesn’t arrive" : "arrives by itself once it answers"}. Forms and results that are here can be opened.`;
  return isStopped
    ? "Paid orders are stored and wait. Forms and results that are here can be opened."
    : "Paid orders are stored and sent by themselves once it answers. Forms and results that are here can be opened.";
}

/** The code while the service answers each call with too many (interface §8). */
const ASKED_TO_WAIT = `${FAILURE_PREFIX}rate_limited`;

const PATIENCE =
  "You don’t have to do anything. If it lasts longer than an hour, ask the service’s support.";

/** The title, its short form and the next step, by the code of the failure. */
function headOf(
  code: string,
  elsewhere: Environment | null,
): Pick<OutageWords, "title" | "badge" | "nextStep"> {
  const service = elsewhere ? ENVIRONMENT_NAMES[elsewhere] : "The referral service";
  switch (code) {
    case CONNECTION_UNREADABLE:
      return {
        title: `Pathway can’t read your credentials${elsewhere ? ` of ${elsewhere}` : ""}`,
        badge: "Credentials can’t be read",
        nextStep: UNREADABLE.nextStep,
      };
    case CREDENTIALS_REFUSED:
      return {
        title: `${service} doesn’t accept your credentials`,
        badge: "Credentials refused",
        nextStep: "Enter new credentials in the settings, then test the connection.",
      };
    case UNREACHABLE_FROM_HERE:
      return {
        title: `Pathway can’t reach ${elsewhere ?? "the referral service"}`,
        badge: "Can’t be reached",
        nextStep: UNREACHABLE.nextStep,
      };
    case TAKES_NO_ORDERS:
      return {
        title: `${service} takes no orders`,
        badge: "Takes no orders",
        nextStep: PATIENCE,
      };
    case ASKED_TO_WAIT:
      return {
        title: `${service} asks Pathway to wait`,
        badge: "Asks to wait",
        nextStep: PATIENCE,
      };
    default:
      return {
        title: `${service} doesn’t answer`,
        badge: "Doesn’t answer",
        nextStep: PATIENCE,
      };
  }
}

/** Describes calls to the service that fail; null while they are answered. `waiting`: tests that wait for it. */
export function describeOutage(
  failing: {
    since: Date;
    code: string;
    elsewhere?: Environment | null;
    waiting?: number;
  } | null,
  { now, describeFailure }: { now: Date; describeFailure: DescribeFailure },
): OutageWords | null {
  if (!failing) return null;
  const { since, code, elsewhere = null, waiting = 0 } = failing;
  const isStopped = code === CREDENTIALS_REFUSED || code === CONNECTION_UNREADABLE;
  const sentence =
    code === TAKES_NO_ORDERS
      ? NO_ORDERS
      : (describeTestOutcome(code, describeFailure)?.sentence ?? "Calls fail.");
  return {
    ...headOf(code, elsewhere),
    sentence,
    since,
    byItself: `${describeWaiting(waiting)}${whatGoesOn(code, isStopped, elsewhere)}`,
    action: isStopped
      ? { content: "Open the connection settings", url: "/app/settings/connection" }
      : null,
    isDown: isStopped || now.getTime() - since.getTime() >= DOWN_AFTER_MS,
  };
}

/** The toast after a test. */
export function testToast(
  outcome:
    | { kind: "ok"; tests: number; bundles: number; apiVersion: ApiVersion }
    | { kind: "failed" }
    | { kind: "no_connection" },
): { toast: string; toastIsError: boolean } {
  switch (outcome.kind) {
    case "ok":
      return {
        toast:
          outcome.apiVersion === "1.0.0"
            ? `Connection works: ${countOf(outcome.tests, "blood test")}. Your organisation has no bundles or Medicare tests.`
            : `Connection works: ${countOf(outcome.tests, "test")} and ${countOf(outcome.bundles, "bundle")}`,
        toastIsError: false,
      };
    case "failed":
      return { toast: "The connection test failed", toastIsError: true };
    case "no_connection":
      return { toast: "Save the connection first", toastIsError: true };
  }
}

/** "Referral 0190… (status invalid_type)": enough for the service's support to find it, and nothing of what it says. */
export function describeUnreadable({ kind, uuid, field }: UnreadableEntry): string {
  const name = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
  return `${name} ${uuid || "without an id"} (${field})`;
}
