import type { ServiceFaults, StoreFaults, TestWorld } from "../harness/index.ts";

/** One thing that goes wrong at one of the two servers for a while. */
export interface Fault {
  name: string;
  service?: ServiceFaults;
  store?: StoreFaults;
}

/**
 * Everything that the sandbox can do wrong (docs/sandbox.md §1 and §2), alone and in the company that makes it
 * worse. Times are in the proportions of a run's own waits: what is late comes after the answer was given up,
 * and before the quarantine ends ({@link QUARANTINE_MS}).
 */
export const FAULTS: readonly Fault[] = [
  { name: "service: slow to create", service: { createDelayMs: 1500 } },
  { name: "service: creates, then drops", service: { createCommitThenDrop: 0.5 } },
  { name: "service: drops, creates nothing", service: { createDropBeforeCommit: 0.5 } },
  { name: "service: drops, creates later", service: { createLateCommitMs: 1500 } },
  { name: "service: creates, then answers 500", service: { createCommitThenError: 0.5 } },
  { name: "service: answers 500, creates nothing", service: { errorRate: 0.3 } },
  { name: "service: slower than anybody waits", service: { createDelayMs: 4500 } },
  { name: "service: limits its callers", service: { rateLimit: { limit: 15, windowMs: 1000 } } },
  { name: "service: list is stale", service: { staleListMs: 2500 } },
  {
    name: "service: creates, then drops; list is stale",
    service: { createCommitThenDrop: 0.5, staleListMs: 2000 },
  },
  {
    name: "service: creates later; 500s; events dropped",
    service: { createLateCommitMs: 1000, errorRate: 0.2, webhooks: { drop: 0.5 } },
  },
  { name: "service: PDFs have expired", service: { attachmentStatus: 403 } },
  { name: "service: PDFs answer 500", service: { attachmentStatus: 500 } },
  { name: "service: events dropped", service: { webhooks: { drop: true } } },
  { name: "service: events doubled", service: { webhooks: { duplicate: true } } },
  { name: "service: events reordered", service: { webhooks: { reorder: 0.5 } } },
  { name: "service: events late", service: { webhooks: { delayMs: 2000 } } },
  { name: "store: answers 502", store: { graphqlStatus: { status: 502, times: 0.4 } } },
  { name: "store: slow", store: { graphqlLatencyMs: 700 } },
  { name: "store: throttles", store: { throttle: 0.4 } },
  { name: "store: webhooks dropped", store: { webhooks: { drop: 0.3 } } },
  { name: "store: webhooks doubled", store: { webhooks: { duplicate: true } } },
  { name: "store: webhooks reordered", store: { webhooks: { reorder: 0.5 } } },
  { name: "store: webhooks late", store: { webhooks: { delayMs: 1500 } } },
  { name: "store: webhooks signed wrongly", store: { webhooks: { badHmac: 0.3 } } },
];

const longest = (of: (service: ServiceFaults) => number | undefined) =>
  Math.max(...FAULTS.map(({ service }) => of(service ?? {}) ?? 0));

/** The time that a starved machine may take to accept a call and to store its referral, beside the faults. */
const STARVED_MS = 5000;

/**
 * The shortest quarantine that outlasts these faults. A call may leave as late as its deadline, from which the quarantine counts; it is
 * stored after the longest delay, and a list that is stale by then hides it. Nothing helps against a service that is later
 * (docs/decisions/0012): a run with a shorter quarantine can double a unit without a fault of the app.
 */
export const QUARANTINE_MS =
  longest(({ createDelayMs = 0, createLateCommitMs = 0 }) => createDelayMs + createLateCommitMs) +
  longest(({ staleListMs }) => staleListMs) +
  STARVED_MS;

/** Puts faults in force, in place of all others; none for a world that is well. */
export async function setFaults(world: TestWorld, faults: readonly Fault[]): Promise<void> {
  const service = Object.assign({}, ...faults.map((fault) => fault.service));
  const store = Object.assign({}, ...faults.map((fault) => fault.store));
  await world.console.setFaults(service);
  await world.store.setFaults(store);
}
