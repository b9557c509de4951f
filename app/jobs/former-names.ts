import type { JobName } from "../modules/reports/jobs.ts";

/** Names that earlier versions gave to today's jobs, with the fields of their payloads that have another name today. */
const FORMER_NAMES: Record<string, { name: JobName; fields?: Record<string, string> }> = {
  "tail-connection": { name: "sync-connection" },
  "withdraw-referrals": { name: "delete-referrals" },
  "catch-up-page": { name: "import-orders", fields: { catchUpId: "orderImportId" } },
  "do-privacy-duty": { name: "do-privacy-request" },
  "tend-shop": { name: "maintain-shop" },
  "tell-store": { name: "publish-order-status" },
  "remind-details": { name: "send-reminder", fields: { holder: "owner" } },
  "advance-rehearsal": { name: "advance-simulation", fields: { rehearsalId: "simulationId" } },
  "run-bulk": { name: "work-batch", fields: { runId: "batchId" } },
  "run-mappings": { name: "work-batch", fields: { runId: "batchId" } },
  "reorder-billing-failed": { name: "work-batch", fields: { bulkId: "batchId" } },
};

export const FORMER_JOB_NAMES = Object.keys(FORMER_NAMES);

type Payload = Record<string, unknown>;

/** Returns a queued job under its present name, with its payload's present fields. */
export function withPresentName<Queued extends { name: string; data: Payload }>(
  queued: Queued,
): Queued {
  const present = FORMER_NAMES[queued.name];
  if (!present) return queued;
  const { name, fields = {} } = present;
  const data = Object.fromEntries(
    Object.entries(queued.data).map(([field, value]) => [fields[field] ?? field, value]),
  );
  return { ...queued, name, data };
}
