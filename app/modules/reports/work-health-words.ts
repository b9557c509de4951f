import { NOT_ANSWERED } from "../../platform/errors.ts";
import { countOf } from "../kernel/words.ts";
import { isTriedUntilDone } from "./jobs.ts";
import { boundedCount } from "./order-words.ts";
import {
  type LoopTrouble,
  type RetriedWork,
  WAITING_LIMIT,
  type WaitingWork,
  type WorkHealth,
} from "./work-health.ts";

/** Why work does not move, in a merchant's words. */
export interface WorkProblem {
  sentence: string;
  since: Date | null;
  /** The work that Pathway does without anybody. */
  byItself: string;
  nextStep: string;
}

const SEND_THE_CODE =
  "If this lasts longer than 10 minutes, send the line above to whoever runs Pathway.";

/** Work that mostly fails because the referral service does not answer as it should. */
const ASKS_SERVICE: ReadonlySet<string> = new Set([
  ...["create-referral", "resolve-ambiguous", "delete-referrals", "correct-referrals"],
  ...["refetch-referral", "refetch-result", "sync-connection", "refresh-catalogue"],
]);

const OF_OUTAGE: ReadonlySet<string> = new Set(
  [...NOT_ANSWERED].map((failure) => `referral_service_${failure}`),
);

/** Failures of a service that is away, and comes back by itself. */
const OF_ABSENCE: ReadonlySet<string> = new Set([
  "referral_service_connection",
  "referral_service_timeout",
  "referral_service_server",
]);

/** Why the store gives nothing, with the codes of work that fails because of it. */
const STORE_TROUBLES: readonly [Omit<WorkProblem, "since">, ReadonlySet<string>][] = [
  [
    {
      sentence: "Shopify doesn’t let Pathway in.",
      byItself:
        "Paid orders wait in Shopify and are read once it does. Forms and results that are here can be opened.",
      nextStep:
        "Opening this page has signed Pathway in again: what waits goes on within 5 minutes. If this is still here in 10 minutes, tell whoever runs Pathway.",
    },
    new Set(["store_not_signed_in", "store_no_session", "store_not_found"]),
  ],
  [
    {
      sentence: "Shopify doesn’t answer as it should.",
      byItself:
        "Paid orders wait in Shopify and are read once it does. Forms and results that are here can be opened.",
      nextStep:
        "You don’t have to do anything. If this is still here in an hour, tell whoever runs Pathway.",
    },
    new Set(["store_unreachable"]),
  ],
];
const isToldOnce = (code: string) =>
  OF_ABSENCE.has(code) || STORE_TROUBLES.some(([, codes]) => codes.has(code));

/**
 * Describes work that does not move, the gravest first; empty while all is well. `isOutageTold`: the page says that the
 * service does not answer, and what to do. Work that fails because of it is no trouble of its own.
 */
export function describeWork(
  health: WorkHealth,
  { isOutageTold = false }: { isOutageTold?: boolean } = {},
): WorkProblem[] {
  const { hasWorker, workerSeenAt, troubles } = health;
  const retried = health.retried.filter(({ code }) => !(isOutageTold && OF_OUTAGE.has(code)));
  const problems: WorkProblem[] = [];
  if (!hasWorker)
    problems.push({
      sentence: "Nothing works on your orders: no worker of Pathway is running.",
      since: workerSeenAt,
      byItself: "New orders and messages are stored. They go on once a worker runs again.",
      nextStep: "Ask whoever runs Pathway to start a worker.",
    });
  // Without a worker, nobody needs to be told that a process is silent.
  for (const trouble of troubles)
    if (hasWorker || trouble.kind !== "silent") problems.push(describeTrouble(trouble));
  for (const [words, codes] of STORE_TROUBLES) {
    const failed = retried.filter(({ code }) => codes.has(code));
    const since = failed.map((one) => one.since).toSorted((a, b) => a.getTime() - b.getTime())[0];
    if (since) problems.push({ ...words, since });
  }
  const unanswered = retried.filter(({ code }) => OF_ABSENCE.has(code));
  if (unanswered.length > 0) problems.push(describeUnanswered(unanswered));
  for (const { name, code, count, since } of retried.filter(({ code }) => !isToldOnce(code)))
    problems.push({
      sentence: `${countOf(count, "task")} of your store failed several times: ${name} (code ${code}).`,
      since,
      byItself: isTriedUntilDone(name)
        ? "Pathway tries again, at most 5 minutes apart, until it succeeds."
        : "Pathway tries again, at most 5 minutes apart, for about two days.",
      nextStep: ASKS_SERVICE.has(name)
        ? `Test the connection in the settings. ${SEND_THE_CODE}`
        : SEND_THE_CODE,
    });
  const oldest = oldestOf(health);
  if (problems.length === 0 && oldest)
    problems.push({
      sentence: "Your store’s work takes longer than usual.",
      since: oldest,
      byItself: "Pathway works through what waits, the oldest first. Nothing gets lost.",
      nextStep: "If the same work still waits in 10 minutes, tell whoever runs Pathway.",
    });
  return problems;
}

/** Work that the service did not answer, and that waits for its next turn though the outage is over. */
function describeUnanswered(work: readonly RetriedWork[]): WorkProblem {
  const count = work.reduce((sum, one) => sum + one.count, 0);
  const [since = null] = work.map((one) => one.since).toSorted((a, b) => a.getTime() - b.getTime());
  return {
    sentence: `The referral service didn’t answer ${countOf(count, "task")} of your store.`,
    since,
    byItself: "Pathway tries again, at most 5 minutes apart, for about two days.",
    nextStep:
      "You don’t have to do anything. If this is still here in 10 minutes, test the connection in the settings.",
  };
}

function describeTrouble({ kind, loops, since, code }: LoopTrouble): WorkProblem {
  const named = loops.length > 3 ? `${loops.slice(0, 3).join(", ")} and others` : loops.join(", ");
  switch (kind) {
    case "fails":
      return {
        sentence: `A part of Pathway fails: ${named} (code ${code ?? "unknown"}).`,
        since,
        byItself: "Pathway tries again. Nothing gets lost, and nothing is ordered twice.",
        nextStep: SEND_THE_CODE,
      };
    case "hangs":
      return {
        sentence: `A part of Pathway doesn’t move: ${named}.`,
        since,
        byItself: "A process that hangs for 90 seconds ends, and a new one takes its place.",
        nextStep: SEND_THE_CODE,
      };
    case "silent":
      return {
        sentence: "A process of Pathway doesn’t answer.",
        since,
        byItself: "Other workers take over its work within 15 seconds.",
        nextStep: SEND_THE_CODE,
      };
  }
}

function oldestOf({ messages, handedOn, jobs }: WorkHealth): Date | null {
  const times = [messages, handedOn, jobs].flatMap((waits) => (waits ? [waits.since] : []));
  return times.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null;
}

/** How much of a shop's work waits, and since when. */
export function describeWaiting({ messages, handedOn, jobs }: WorkHealth) {
  return [
    line(messages, "message not read yet", "messages not read yet"),
    line(handedOn, "task not handed on yet", "tasks not handed on yet"),
    line(jobs, "task not begun yet", "tasks not begun yet"),
  ].flatMap((one) => one ?? []);
}

function line(waits: WaitingWork | null, one: string, many: string) {
  if (!waits) return null;
  const { count, since } = waits;
  const text = `${boundedCount(count, WAITING_LIMIT)} ${count === 1 ? one : many}`;
  return { text, since };
}
