import { ALERT_AFTER_MS } from "../../lifecycle/alert-outage.ts";
import { URGENT_HELD } from "../../referrals/urgency.ts";
import { type AlertReader, addressesFor, readersOf } from "../../shops/alert.ts";
import type { Connection } from "../../shops/connection.ts";
import { addressesOfReview } from "../../shops/note-alert.ts";
import type { Shop } from "../../shops/shop.ts";
import type { UnheardAlert } from "../home-figures.ts";
import type { Tenant } from "../tenant.ts";

/** Finds what somebody should hear of now and nobody is emailed of: the home page is the one place left to say so. */
export async function readUnheard(
  tenant: Tenant,
  { settings, connection, now }: { settings: Shop; connection: Connection | null; now: Date },
): Promise<UnheardAlert[]> {
  const readers = readersOf(settings, await tenant.alerts.recipients());
  const outage = isLong(connection, now) && (await whyUnheard(tenant, readers));
  const isReviewUnheard =
    addressesOfReview(settings).length === 0 && addressesFor("critical_held", readers).length === 0;
  const isHeld =
    isReviewUnheard && (await tenant.overview.ordersWithReason([URGENT_HELD], 1)).length > 0;
  return [...(outage ? [outage] : []), ...(isHeld ? ["critical_held" as const] : [])];
}

const isLong = (connection: Connection | null, now: Date): boolean =>
  connection?.failing != null &&
  now.getTime() - connection.failing.since.getTime() >= ALERT_AFTER_MS;

/** Why nobody hears of an outage; null when somebody does. */
async function whyUnheard(
  { alerts }: Tenant,
  readers: AlertReader[],
): Promise<UnheardAlert | null> {
  const addresses = addressesFor("outage", readers);
  if (addresses.length === 0) return "outage";
  const refused = await alerts.refusedBy(addresses);
  return refused.length === addresses.length ? "outage_refused" : null;
}
