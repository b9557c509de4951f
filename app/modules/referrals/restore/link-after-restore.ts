import type { Environment } from "../../shops/connection.ts";
import type { ListEntry } from "../events/list-entry.ts";
import { isUnreadable } from "../referrals/record-unreadable-own.ts";
import type { ReferralRequest } from "../request.ts";
import { linkReferrals } from "../requests/link-referrals.ts";
import type { UnclaimedReferral } from "../restore-repository.ts";
import type { ReferralSnapshot } from "../snapshots.ts";
import type { Tenant } from "../tenant.ts";

/**
 * After a restore the service holds referrals that the database has forgotten. Those whose requests it knows
 * are theirs at once, before the pause ends; the others are kept in mind until their orders have been brought
 * in again, which gives their units the same reference numbers.
 */
export async function linkAfterRestore(
  tenant: Tenant,
  environment: Environment,
  found: { strangers: ListEntry[]; requests: ReadonlyMap<string, ReferralRequest> },
): Promise<void> {
  if (found.strangers.length === 0 || !(await tenant.restores.pause(environment))) return;
  const unclaimed: UnclaimedReferral[] = [];
  for (const { uuid, whole, referenceNumber, updatedAt, isDeleted } of found.strangers) {
    if (!whole || !referenceNumber) continue;
    const request = found.requests.get(referenceNumber);
    if (!request) {
      unclaimed.push({ uuid, referenceNumber, isDeleted });
      continue;
    }
    if (request.environment !== environment) continue;
    const read = readWhole(whole, uuid);
    if (read.kind === "read") {
      await linkReferrals(tenant, request, [read.referral], new Date(updatedAt));
      continue;
    }
    // Its unit is not sent while it is kept in mind. Asked for alone, it is told of or read.
    unclaimed.push({ uuid, referenceNumber, isDeleted });
    await tenant.jobs.enqueue({ name: "refetch-referral", shop: tenant.shop, environment, uuid });
  }
  await tenant.restores.recordUnclaimed(environment, unclaimed);
}

function readWhole(
  whole: NonNullable<ListEntry["whole"]>,
  uuid: string,
): { kind: "read"; referral: ReferralSnapshot } | { kind: "unreadable" } {
  try {
    return { kind: "read", referral: whole(uuid) };
  } catch (error) {
    if (isUnreadable(error)) return { kind: "unreadable" };
    throw error;
  }
}
