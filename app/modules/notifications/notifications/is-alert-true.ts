import { countBroken } from "../../catalogue/broken-mappings.ts";
import type { Tenant } from "../../privacy/tenant.ts";
import { isHeld } from "../../referrals/referral-repository.ts";
import type { AlertFacts } from "../../shops/alert-facts.ts";

/** Tells whether an alert is still true: the outgoing server may have been away for a while. */
export async function isAlertTrue(tenant: Tenant, facts: AlertFacts): Promise<boolean> {
  switch (facts.kind) {
    case "outage": {
      const connection = await tenant.connections.find(facts.environment);
      if (!connection) return false;
      const told = connection.outageToldSince;
      // The next outage has been told since: its end follows.
      return facts.isOver ? told === null : told?.toISOString() === facts.since;
    }
    case "critical_held":
      return (await tenant.results.forRequests([facts.requestId])).some(isHeld);
    case "attention":
      return !facts.broken || (await countBroken(tenant, facts.broken.environment)) > 0;
    case "webhooks":
    case "daily":
      return true;
  }
}
