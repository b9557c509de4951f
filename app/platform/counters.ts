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
  /** Tells it from now on, though nothing was counted: `increase()` misses the first of what is not there before. */
  begin(labels: Record<Label, string>): void;
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
    begin: (labels) => made.add(labels, 0),
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

/** How long something took, by limits in seconds, as Prometheus's histograms count it. */
export interface Durations<Label extends string = string> {
  name: string;
  help: string;
  labelNames: readonly Label[];
  /** Tells it from now on, though nothing was measured. */
  begin(labels: Record<Label, string>): void;
  observe(labels: Record<Label, string>, ms: number): void;
  /** For each combination of labels: how many took at most each limit, how many there were, and their sum. */
  values(): { labels: Record<Label, string>; atMost: number[]; count: number; seconds: number }[];
}

/** The goal of each is 60 s. */
export const LIMITS_SECONDS = [1, 2, 5, 10, 20, 30, 60, 120, 300, 900, 3_600];

const allDurations: Durations[] = [];

/** Every measured duration of this process. */
export const durations = (): readonly Durations[] => allDurations;

function duration<Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[],
): Durations<Label> {
  const found = new Map<string, ReturnType<Durations<Label>["values"]>[number]>();
  const of = (labels: Record<Label, string>) => {
    const key = labelNames.map((label) => labels[label]).join(" ");
    const empty = { labels, atMost: LIMITS_SECONDS.map(() => 0), count: 0, seconds: 0 };
    const one = found.get(key) ?? empty;
    found.set(key, one);
    return one;
  };
  const made: Durations<Label> = {
    name,
    help,
    labelNames,
    begin(labels) {
      of(labels);
    },
    observe(labels, ms) {
      const one = of(labels);
      // Two clocks may differ: nothing takes less than no time.
      const seconds = Math.max(0, ms) / 1_000;
      one.count += 1;
      one.seconds += seconds;
      one.atMost = one.atMost.map((n, at) => n + (seconds <= (LIMITS_SECONDS[at] ?? 0) ? 1 : 0));
    },
    values: () => [...found.values()],
  };
  allDurations.push(made as Durations);
  return made;
}

/** Readings of a store after which it is in doubt whose orders it sends. */
export const storesInDoubt = counter(
  "pathway_stores_in_doubt_total",
  "Readings of stores of which it is in doubt whose orders they send, by why",
  ["code"],
);

/** Visits of staff who were shown nothing, because Shopify has never told who they are. */
export const unknownStaff = counter(
  "pathway_staff_unknown_total",
  "Visits of staff that were shown nothing, because Shopify did not tell who they are or of which store, by why",
  ["code"],
);

/** Renewals of tokens that Shopify refused because of the app's own client id or secret. */
export const appRefused = counter(
  "pathway_app_refused_total",
  "Renewals of tokens that Shopify refused because of the app's own client id or secret",
  [],
);

export const detailsMailDelay = duration(
  "pathway_details_mail_seconds",
  "From an order's payment, or from the opening of its unit where that came over an hour later, to the mail that asks for the details",
  [],
);

export const createDelay = duration(
  "pathway_create_begun_seconds",
  "From the patient's details to the first create call",
  [],
);

export const documentDelay = duration(
  "pathway_document_seconds",
  "From the service's last change to the stored PDF of a referral or result",
  ["document"],
);

export const documentStoreFailures = counter(
  "pathway_document_store_failures_total",
  "PDFs that could not be placed, read or deleted in their store",
  ["operation", "code"],
);

export const lostDocuments = counter(
  "pathway_documents_lost_total",
  "Documents that their store does not have any more",
  [],
);

export const duplicateReferrals = counter(
  "pathway_duplicate_referrals_total",
  "Requests for which the service was found to hold more than one referral",
  [],
);

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

/** Ends of a try to hand a mail to the outgoing server. `put_off`: it refuses the recipients, and may take the mail later. */
export const MAIL_OUTCOMES = ["taken", "not_taken", "unclear", "put_off", "refused"] as const;

export const mails = counter(
  "pathway_mails_total",
  "Tries to hand a mail to the outgoing server, by what became of them",
  ["outcome"],
);

export const serviceCalls = counter(
  "pathway_service_calls_total",
  "Calls to the referral service by what became of them",
  ["environment", "method", "outcome"],
);

/** States of Shopify's Admin API that it tells of in a header of a good answer. */
export const STORE_VERSION_STATES = ["retired", "deprecated"] as const;

export const storeVersions = counter(
  "pathway_store_version_answers_total",
  "Answers of Shopify in another version than was asked for, and those that use what it gives up",
  ["state"],
);

export const webhooks = counter(
  "pathway_webhooks_total",
  "Messages from Shopify and events of the service: accepted, or why refused",
  ["source", "outcome"],
);

export const requestRefusals = counter(
  "pathway_request_refusals_total",
  "Pages and calls that were refused before their route: a token that is not good, or too many",
  ["reason"],
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
