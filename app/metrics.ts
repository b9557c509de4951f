import type { Pool } from "pg";
import type { Counter } from "prom-client";
import { API_VERSION, versionEndsAt } from "./clients/shopify/api-version.ts";
import { JOB_NAMES } from "./jobs/definitions.ts";
import {
  type HeldRedactions,
  readHeldRedactions,
} from "./modules/privacy/postgres/held-redactions.ts";
import { DOCUMENT_KINDS } from "./modules/referrals/document.ts";
import { type Backlog, countDueJobs, readBacklog } from "./modules/reports/postgres/work-health.ts";
import { STORE_DOUBTS } from "./modules/shops/store-doubt.ts";
import {
  appRefused,
  counters,
  createDelay,
  type Durations,
  detailsMailDelay,
  documentDelay,
  documentStoreFailures,
  durations,
  endedJobs,
  LIMITS_SECONDS,
  loopFailures,
  MAIL_OUTCOMES,
  mails,
  refusals,
  STORE_VERSION_STATES,
  storesInDoubt,
  storeVersions,
  webhooks,
} from "./platform/counters.ts";
import { readBackupOverdue } from "./platform/database/backup-due.ts";
import { type KeyProgress, readKeyProgress } from "./platform/encryption/key-progress.ts";
import { KEY_TROUBLES } from "./platform/key-troubles.ts";
import { lazyAsync } from "./platform/lazy-async.ts";
import type { Logger } from "./platform/logger.ts";
import { tolerate } from "./platform/tolerate.ts";
import { REFUSAL_PLACES } from "./queue/refusal-log.ts";
import { JOB_OUTCOMES } from "./queue/settle-jobs.ts";
import type { Role, Vitals } from "./queue/vitals.ts";
import { MESSAGE_OUTCOMES } from "./web/intake/intake.ts";

/** A scrape must answer while the database does not: Prometheus waits for 10 s. */
const BACKLOG_WITHIN_MS = 3_000;

export interface MetricsOptions {
  /** By name; read at each scrape, for one may come later. */
  pools: { app: Pool; tenants?: Pool; intake?: Pool; jobs?: Pool };
  clock: { measuredSkewMs(): number };
  /** The roles of this process (`PATHWAY_ROLES`). */
  roles: readonly Role[];
  vitals: Pick<Vitals, "reasons">;
  logger: Logger;
}

/** Writes down how this process is and how much work waits, in Prometheus's text format. */
export type WriteMetrics = () => Promise<{ contentType: string; text: string }>;

/**
 * The library comes into memory with the first scrape: a process that nobody scrapes does without it
 * (docs/decisions/0020). Counts are kept from the start (platform/counters.ts).
 */
export function createMetrics(options: MetricsOptions): WriteMetrics {
  beginSeries();
  const registry = lazyAsync(() => createRegistry(options));
  return async () => {
    try {
      return await (await registry())();
    } catch (error) {
      options.logger.error({ err: error }, "the metrics cannot be written");
      throw error;
    }
  };
}

/** Tells each series that an alert of ops/prometheus counts from the start, as nothing, so that the alert sees its first count. */
function beginSeries(): void {
  for (const kind of JOB_NAMES)
    for (const outcome of JOB_OUTCOMES) endedJobs.begin({ kind, outcome });
  for (const source of ["shopify", "service"])
    for (const outcome of MESSAGE_OUTCOMES) webhooks.begin({ source, outcome });
  for (const state of STORE_VERSION_STATES) storeVersions.begin({ state });
  for (const outcome of MAIL_OUTCOMES) mails.begin({ outcome });
  appRefused.begin({});
  for (const code of STORE_DOUBTS) storesInDoubt.begin({ code });
  for (const place of REFUSAL_PLACES) refusals.begin({ place });
  for (const code of KEY_TROUBLES) loopFailures.begin({ loop: "keys", code });
  for (const operation of ["ask", "place", "delete"])
    documentStoreFailures.begin({ operation, code: "document_store_not_owner" });
  for (const operation of ["ask", "place", "read", "list", "delete"])
    for (const reason of DOCUMENT_STORE_REASONS)
      documentStoreFailures.begin({ operation, code: `document_store_${reason}` });
  for (const document of DOCUMENT_KINDS) documentDelay.begin({ document });
  detailsMailDelay.begin({});
  createDelay.begin({});
}

/** Why a store of documents fails, but that another database owns it, which has an alert of its own. */
const DOCUMENT_STORE_REASONS = [
  ...["unreachable", "refused", "missing", "not_set_up", "unreadable", "empty"],
] as const;

type Fill = (counter: Counter<string>, one: ReturnType<Durations["values"]>[number]) => void;

async function createRegistry({
  pools,
  clock,
  roles,
  vitals,
  logger,
}: MetricsOptions): Promise<WriteMetrics> {
  const { default: prometheus } = await import("prom-client");
  const registry = new prometheus.Registry();
  const registers = [registry];
  prometheus.collectDefaultMetrics({ register: registry });
  for (const { name, help, labelNames, values } of counters())
    new prometheus.Counter({
      ...{ name, help, labelNames, registers },
      collect() {
        this.reset();
        for (const { labels, value } of values()) this.inc(labels, value);
      },
    });
  // The series of a histogram, one by one: the library's own counts each observation by itself and cannot be set.
  for (const { name, help, labelNames, values } of durations()) {
    const series = (suffix: string, labels: readonly string[], fill: Fill) =>
      new prometheus.Counter({
        ...{ name: `${name}_${suffix}`, help, labelNames: labels, registers },
        collect() {
          this.reset();
          for (const one of values()) fill(this, one);
        },
      });
    series("bucket", [...labelNames, "le"], (counter, { labels, atMost, count }) => {
      for (const [at, limit] of LIMITS_SECONDS.entries())
        counter.inc({ ...labels, le: String(limit) }, atMost[at] ?? 0);
      counter.inc({ ...labels, le: "+Inf" }, count);
    });
    series("sum", labelNames, (counter, { labels, seconds }) => counter.inc(labels, seconds));
    series("count", labelNames, (counter, { labels, count }) => counter.inc(labels, count));
  }
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new prometheus.Gauge({ name, help, labelNames, registers });
  const skew = gauge("pathway_clock_skew_seconds", "By how much this machine's clock is ahead");
  const ready = gauge("pathway_ready", "Whether this process is ready, for each of its roles", [
    "role",
  ]);
  const connections = gauge(
    "pathway_database_connections",
    "Database connections of this process by pool: in use, idle, and how many callers wait for one",
    ["pool", "state"],
  );
  gauge(
    "pathway_store_version_ends_seconds",
    "When Shopify may stop to serve the Admin API version of this release, as Unix time",
  ).set(versionEndsAt(API_VERSION) / 1_000);
  const isUp = gauge("pathway_database_up", "Whether the database answered this scrape");
  const outboxAge = gauge(
    "pathway_outbox_age_seconds",
    "Age of the oldest outbox row that was not relayed; the same in every process",
  );
  const inboxAge = gauge(
    "pathway_inbox_age_seconds",
    "Age of the oldest message that was not looked at; the same in every process",
  );
  const waiting = gauge(
    "pathway_jobs_waiting",
    "Jobs that are due and were not begun; the same in every process",
    ["kind"],
  );

  const erasures = gauge(
    "pathway_erasure_age_seconds",
    "Age of the oldest erasure whose keys still exist somewhere; the same in every process",
  );
  const heldRedactions = gauge(
    "pathway_held_redactions",
    "Redactions that wait for an operator's word; the same in every process",
  );
  const heldRedactionAge = gauge(
    "pathway_held_redaction_age_seconds",
    "Age of the oldest redaction that waits for an operator's word; the same in every process",
  );
  const resealing = gauge(
    "pathway_resealing_shops",
    "Shops whose data is being sealed anew by newer keys; the same in every process",
  );
  const backupOverdue = gauge(
    "pathway_backup_overdue_seconds",
    "Since when a backup should have been made; not there where nobody notes backups; the same in every process",
  );

  /** Ages that nobody knows are left out: an old figure would look like a good one. */
  function setBacklog(backlog: WaitingWork | null): void {
    isUp.set(backlog ? 1 : 0);
    outboxAge.remove();
    inboxAge.remove();
    waiting.reset();
    erasures.remove();
    heldRedactions.remove();
    heldRedactionAge.remove();
    resealing.remove();
    backupOverdue.remove();
    if (!backlog) return;
    const { backupOverdueSeconds } = backlog;
    if (backupOverdueSeconds !== null) backupOverdue.set(backupOverdueSeconds);
    erasures.set(backlog.keys.oldestErasureSeconds ?? 0);
    heldRedactions.set(backlog.held.count);
    heldRedactionAge.set(backlog.held.oldestSeconds);
    resealing.set(backlog.keys.shops);
    outboxAge.set(backlog.outboxAgeSeconds);
    inboxAge.set(backlog.inboxAgeSeconds);
    for (const { kind, count } of backlog.jobs) waiting.set({ kind }, count);
  }

  return async () => {
    setBacklog(await backlogInTime(pools.app, logger));
    for (const role of roles) ready.set({ role }, vitals.reasons(role).length === 0 ? 1 : 0);
    skew.set(clock.measuredSkewMs() / 1_000);
    for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
      connections.set({ pool, state: "in_use" }, totalCount - idleCount);
      connections.set({ pool, state: "idle" }, idleCount);
      connections.set({ pool, state: "waiting" }, waitingCount);
    }
    return { contentType: registry.contentType, text: await registry.metrics() };
  };
}

/** The work that waits: jobs, the care of keys, redactions that are held, and a backup. */
type WaitingWork = Backlog & {
  jobs: { kind: string; count: number }[];
  keys: KeyProgress;
  held: HeldRedactions;
  backupOverdueSeconds: number | null;
};

const readWaiting = async (pool: Pool): Promise<WaitingWork> => ({
  ...(await readBacklog(pool)),
  jobs: await countDueJobs(pool, JOB_NAMES),
  keys: await readKeyProgress(pool),
  held: await readHeldRedactions(pool),
  backupOverdueSeconds: await readBackupOverdue(pool),
});

function backlogInTime(pool: Pool, logger: Logger): Promise<WaitingWork | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), BACKLOG_WITHIN_MS);
    readWaiting(pool)
      .then(resolve, (error: unknown) => {
        // `pathway_database_up` tells it to whoever scrapes.
        tolerate(logger, "metrics.backlog")(error);
        resolve(null);
      })
      .finally(() => clearTimeout(timer));
  });
}
