import { ReferralServiceError } from "../../lib/errors.ts";
import type { Environment } from "../connections/connection.ts";
import type { UnreadableListed } from "../referrals/unreadable-entry.ts";
import type { Tenant } from "../tenant.ts";
import type { TailedList } from "./tail-walk.ts";

/**
 * Tells a person of listed entries that cannot be read. One of ours is asked for alone, where its failure gets an item
 * of its own. After a restore the walk proves what the service holds: an entry that may be ours then keeps its unit
 * from being sent, and one that does not say whose it is keeps the pause. Throws `contract_mismatch` for that one.
 */
export async function noteUnreadable(
  tenant: Tenant,
  environment: Environment,
  { list, unreadable, now }: { list: TailedList; unreadable: UnreadableListed[]; now: Date },
): Promise<void> {
  if (unreadable.length === 0) return;
  const kind = list === "results" ? "result" : "referral";
  const entries = unreadable.map(({ uuid, field }) => ({ kind, uuid, field }) as const);
  const isPaused = list === "referrals" && (await tenant.restores.pause(environment)) !== null;
  if (isPaused && unreadable.some(({ uuid, referenceNumber }) => !uuid || !referenceNumber))
    throw new ReferralServiceError("contract_mismatch", "a listed referral may be anybody's");
  await tenant.unreadable.record(environment, entries, now);
  const { shop } = tenant;
  for (const { uuid, referenceNumber } of unreadable) {
    if (isPaused && referenceNumber)
      await tenant.restores.noteUnclaimed(environment, [{ uuid, referenceNumber }]);
    const stored = kind === "result" ? tenant.results.find(uuid) : tenant.referrals.find(uuid);
    if (uuid && (await stored))
      await tenant.jobs.enqueue({ name: `refetch-${kind}`, shop, environment, uuid });
  }
}
