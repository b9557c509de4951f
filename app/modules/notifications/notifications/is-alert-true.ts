import type { Tenant } from "../../privacy/tenant.ts";
import type { AlertFacts } from "../../shops/alert.ts";

/** Whether what an alert tells still holds: the outgoing server may have been away for a while. */
export async function isAlertTrue(tenant: Tenant, facts: AlertFacts): Promise<boolean> {
  if (facts.kind !== "outage") return true;
  const connection = await tenant.connections.find(facts.environment);
  if (!connection) return false;
  const told = connection.outageToldSince;
  // The next outage has been told since: its end follows.
  return facts.isOver ? told === null : told?.toISOString() === facts.since;
}
