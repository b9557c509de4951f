import { addressesFor, readersOf } from "./alert.ts";
import type { AlertFacts } from "./alert-facts.ts";
import type { Shop } from "./shop.ts";
import type { Tenant } from "./tenant.ts";

/**
 * Notes an email to everybody who wants alerts of this kind, and queues it, in the transaction of the fact that calls for
 * it. Each occurrence is noted once for each address, whichever process finds it. Returns how many were noted.
 */
export async function noteAlert(
  tenant: Tenant,
  settings: Pick<Shop, "contactEmail">,
  {
    occurrence,
    facts,
    at,
    except = [],
  }: {
    occurrence: string;
    facts: AlertFacts;
    at: Date;
    /** Addresses that hear of it in another way. */
    except?: readonly string[];
  },
): Promise<number> {
  const readers = readersOf(settings, await tenant.alerts.recipients());
  const told = new Set(except.map((address) => address.toLowerCase()));
  let noted = 0;
  for (const address of addressesFor(facts.kind, readers)) {
    if (told.has(address.toLowerCase())) continue;
    const alertId = await tenant.alerts.note({ occurrence, facts, address, at });
    if (!alertId) continue;
    await tenant.jobs.enqueue({ name: "send-alert", shop: tenant.shop, alertId });
    noted++;
  }
  return noted;
}
