import { keyOf } from "../jobs/definitions.ts";
import type { JobQueue, TraceSubject } from "../modules/kernel/jobs.ts";
import type { Job } from "../modules/reports/jobs.ts";
import type { Scope } from "../platform/database/scope.ts";
import { sql, unanswered } from "../platform/database/unanswered.ts";
import { currentTraceparent, linkToTrace } from "../platform/traces.ts";
import { shortKey } from "./short-key.ts";

/** Writes jobs beside the facts that call for them; the relay hands them to the engine after the commit. */
export function outbox({ tx, shop }: Scope, onJob: () => void): JobQueue<Job> {
  return {
    async enqueue(job, { startAfter, notBefore } = {}) {
      const { name, ...payload } = job;
      const key = keyOf(job);
      // A job that waits for its time must not swallow one that is due.
      const singletonKey = shortKey(startAfter ? `${key}@${startAfter.getTime()}` : key);
      const due = startAfter ?? notBefore ?? null;
      const traceparent = await traceparentOf({ tx, shop }, payload);
      await unanswered(
        tx,
        sql`
        INSERT INTO outbox (shop, name, singleton_key, payload, traceparent, start_after)
        VALUES (${shop}, ${name}, ${singletonKey}, ${JSON.stringify(payload)}::jsonb, ${traceparent},
                coalesce(${due}, now()))`,
      );
      onJob();
    },
    traceOf: (subject) => traceOf({ tx, shop }, subject),
  };
}

/**
 * The trace that a job goes on in. It is the one of the request that the job is for, so that an order has one trace from
 * its webhook to its report, whoever filled in the form and whatever told of the result meanwhile; the step that asks links
 * to it. A job for no request goes on in the trace of the step that asks. Looks nothing up where nothing is traced.
 */
async function traceparentOf(
  scope: Pick<Scope, "tx" | "shop">,
  payload: TraceSubject,
): Promise<string | null> {
  const here = currentTraceparent();
  const traceparent = await traceOf(scope, payload);
  if (!traceparent) return here;
  linkToTrace(traceparent);
  return traceparent;
}

async function traceOf(
  { tx, shop }: Pick<Scope, "tx" | "shop">,
  subject: TraceSubject,
): Promise<string | null> {
  const { requestId = null, uuid = null } = subject;
  if (currentTraceparent() === null || !(requestId ?? uuid)) return null;
  const rows = await tx.$queryRaw<{ traceparent: string | null }[]>`
    SELECT r.traceparent FROM referral_requests r
    WHERE r.shop = ${shop} AND r.id = coalesce(${requestId}::uuid, (
      SELECT f.request_id FROM referrals f
      WHERE f.shop = ${shop} AND ${uuid} IN (f.uuid, f.result_uuid) LIMIT 1))`;
  return rows[0]?.traceparent ?? null;
}
