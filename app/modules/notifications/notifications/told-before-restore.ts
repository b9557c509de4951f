import { together } from "../../../platform/together.ts";
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
  const [since, { uuids }] = await together(
    () => tenant.restores.pauseOfOlder(id),
    () => tenant.restores.holds(environment, referenceNumber),
  );
  if (since) return new Date(Math.max(since.getTime() + settledAfterMs(waits), soon));
  return uuids.length > 0 ? new Date(soon) : null;
}
