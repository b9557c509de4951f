import type { DueNotification } from "../../kernel/notification.ts";
import type { Waits } from "../../kernel/ports.ts";
import type { Tenant } from "../../privacy/tenant.ts";
import type { ReferralRequest } from "../../referrals/request.ts";
import { settledAfterMs } from "../../referrals/resume-after-restore.ts";

/** How long until a mail that waits for the end of a pause looks again. */
const LOOK_AGAIN_MS = 10_000;

const ASKS: ReadonlySet<DueNotification["kind"]> = new Set(["details_needed", "details_reminder"]);

/**
 * Until when a mail that asks for details waits: the database was restored, and the referral may exist whose details were
 * given to the one that is lost. The same holds while the service is known to have a referral for the unit, whose order was
 * brought in after the pause. Orders that were paid since are asked for at once. Null when nothing has to be waited for.
 */
export async function waitsForRestore(
  tenant: Pick<Tenant, "restores">,
  { id, environment, referenceNumber }: ReferralRequest,
  { kind, now, waits }: Pick<DueNotification, "kind"> & { now: Date; waits: Waits },
): Promise<Date | null> {
  if (!ASKS.has(kind)) return null;
  const soon = now.getTime() + LOOK_AGAIN_MS;
  const since = await tenant.restores.pauseOfOlder(id);
  if (since) return new Date(Math.max(since.getTime() + settledAfterMs(waits), soon));
  const { uuids } = await tenant.restores.holds(environment, referenceNumber);
  return uuids.length > 0 ? new Date(soon) : null;
}

/**
 * Whether the database that is lost told this. It did when the service had made every form of the unit while that database
 * is known to have worked, and so long before its end that the sync had found it and its mail had not waited for others any
 * more.
 *
 * A form that was made later, or while no database was there, is told: told twice is better than never. So is a mail that
 * was noted here before the switch and is not sent: its mail server or its address was in the way.
 */
export async function isToldBeforeRestore(
  tenant: Pick<Tenant, "restores" | "referrals" | "notifications">,
  due: DueNotification,
  { mailWindowMs, syncIntervalMs }: Pick<Waits, "mailWindowMs" | "syncIntervalMs">,
): Promise<boolean> {
  const lost = await tenant.restores.lastSwitch();
  if (!lost) return false;
  const noted = await tenant.notifications.find(due);
  if (noted && noted.notedAt < lost.at) return false;
  const told = lost.servedUntil.getTime() - mailWindowMs - syncIntervalMs;
  const referrals = await tenant.referrals.forRequests([due.requestId]);
  return referrals.length > 0 && referrals.every((r) => r.serviceUpdatedAt.getTime() < told);
}
