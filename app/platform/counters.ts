/**
 * Counts of this process since its start, for `GET /metrics`. A count belongs to the process as its memory does, so
 * these are the only values that a module keeps. Labels hold kinds and codes of ours: no shop, order or patient.
 */

export interface Counted<Label extends string> {
  labels: Record<Label, string>;
  value: number;
}

export interface Counter<Label extends string = string> {
  name: string;
  help: string;
  labelNames: readonly Label[];
  /** Adds one, or `by`. */
  add(labels: Record<Label, string>, by?: number): void;
  /** Every combination of labels that was counted. */
  values(): Counted<Label>[];
}

const all: Counter[] = [];

/** Every counter of this process. */
export const counters = (): readonly Counter[] => all;

function counter<Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[],
): Counter<Label> {
  const found = new Map<string, Counted<Label>>();
  const made: Counter<Label> = {
    name,
    help,
    labelNames,
    add(labels, by = 1) {
      const key = labelNames.map((label) => labels[label]).join(" ");
      const counted = found.get(key);
      if (counted) counted.value += by;
      else found.set(key, { labels, value: by });
    },
    values: () => [...found.values()],
  };
  all.push(made as Counter);
  return made;
}

export const loopFailures = counter(
  "pathway_loop_failures_total",
  "Turns of background loops that failed",
  ["loop", "code"],
);

export const endedJobs = counter(
  "pathway_jobs_total",
  "Jobs that ended: completed, failed (tried again) or given up",
  ["kind", "outcome"],
);

export const serviceCalls = counter(
  "pathway_service_calls_total",
  "Calls to the referral service by what became of them",
  ["method", "outcome"],
);

export const webhooks = counter(
  "pathway_webhooks_total",
  "Messages from Shopify and events of the service: accepted, or why refused",
  ["source", "outcome"],
);

export const toleratedErrors = counter(
  "pathway_tolerated_errors_total",
  "Errors after which nothing had to be done",
  ["at", "code"],
);

export const misplacedRequests = counter(
  "pathway_misplaced_requests_total",
  "Requests that maintenance found in a wrong list of the admin, and put right",
  [],
);

export const repeatedTransactions = counter(
  "pathway_repeated_transactions_total",
  "Transactions that the database ended because of a deadlock, and that ran again",
  [],
);

export const refusals = counter(
  "pathway_refusals_total",
  "Sign-ins and signatures that were refused, by where",
  ["place"],
);
