import type { RequestFacts } from "./customer-view.ts";
import { alertOf } from "./result-alert.ts";
import type { Tenant } from "./tenant.ts";
import { URGENT_SHOWN } from "./urgency.ts";

/**
 * Adds which results are critical of those that can be opened, where the owner is asked to open one today: the note that they are
 * to read stands on that one's page alone. A copy that is damaged may be it.
 */
export async function addShownCritical(
  tenant: Tenant,
  all: readonly RequestFacts[],
): Promise<RequestFacts[]> {
  const told: RequestFacts[] = [];
  for (const facts of all) {
    if (facts.request.resultReason !== URGENT_SHOWN) {
      told.push(facts);
      continue;
    }
    const critical = new Set<string>();
    for (const { uuid, releasedAt } of facts.results) {
      if (releasedAt === null) continue;
      const snapshot = await tenant.results.snapshotBefore(uuid);
      if (!snapshot || alertOf(snapshot)?.level === "critical") critical.add(uuid);
    }
    told.push({ ...facts, critical });
  }
  return told;
}
