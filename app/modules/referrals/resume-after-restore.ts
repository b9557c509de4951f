import type { Clock } from "../../platform/clock.ts";
import type { Waits } from "../kernel/ports.ts";
import type { Environment } from "../shops/connection.ts";
import { REPORTING_GRACE_MS } from "./create-referral.ts";
import { recallOwners } from "./recall-owner.ts";
import { resumeWork } from "./resume-work.ts";
import type { Tenant } from "./tenant.ts";

/**
 * How long after the pause began an attempt that the database has lost may still become a referral. It was claimed just
 * before the end, its sender may use all of its time, and the service may be late with what it was sent.
 */
export const settledAfterMs = ({ createTimeoutMs, quarantineMs }: Waits): number =>
  createTimeoutMs + REPORTING_GRACE_MS + quarantineMs;

/**
 * A walk through the service's lists has reached its end. If it began when nothing that was lost could appear any more,
 * everything that was created since the restore point has been found, and what is waiting may be sent. If it began
 * before, the walk that can end the pause is asked for.
 */
export async function resumeAfterRestore(
  tenant: Tenant,
  environment: Environment,
  { walkStartedAt, waits, clock }: { walkStartedAt: Date; waits: Waits; clock: Clock },
): Promise<void> {
  const { shop } = tenant;
  const settledMs = settledAfterMs(waits);
  const pausedUpTo = new Date(walkStartedAt.getTime() - settledMs);
  // Time that the clock leapt over has not passed for the service (docs/decisions/0147).
  const leaptAt = clock.leaptAt?.() ?? null;
  const isWhole = leaptAt === null || leaptAt <= pausedUpTo;
  if (!isWhole || !(await tenant.restores.resume(environment, pausedUpTo))) {
    const pause = await tenant.restores.pause(environment);
    if (!pause) return;
    const from = Math.max(pause.since.getTime(), leaptAt?.getTime() ?? Number.NEGATIVE_INFINITY);
    const startAfter = new Date(from + settledMs);
    return tenant.jobs.enqueue({ name: "sync-connection", shop, environment }, { startAfter });
  }
  await recallOwners(tenant, environment, clock.now());
  await resumeWork(tenant);
}
