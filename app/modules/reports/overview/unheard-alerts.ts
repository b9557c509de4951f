import { ALERT_AFTER_MS } from "../../lifecycle/alert-outage.ts";
import { URGENT_HELD } from "../../referrals/urgency.ts";
import { addressesFor, readersOf } from "../../shops/alert.ts";
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
  const ofHeld = [...addressesOfReview(settings), ...addressesFor("critical_held", readers)];
  return [
    ...(isLong(connection, now)
      ? await whyUnheard(tenant, addressesFor("outage", readers), "outage")
      : []),
    ...(settings.startFlows && isRecent(connection?.flowRefusedAt, now)
      ? (["outage_flow"] as const)
      : []),
    ...((await tenant.overview.ordersWithReason([URGENT_HELD], 1)).length > 0
      ? await whyUnheard(tenant, ofHeld, "critical_held")
      : []),
  ];
}

const isLong = (connection: Connection | null, now: Date): boolean =>
  connection?.failing != null &&
  now.getTime() - connection.failing.since.getTime() >= ALERT_AFTER_MS;

/** A refusal is said for so long: outages are rare, and the next workflow may start in a year. */
const SAID_MS = 7 * 86_400_000;

const isRecent = (at: Date | null | undefined, now: Date): boolean =>
  at != null && now.getTime() - at.getTime() < SAID_MS;

/** Why nobody hears of something by these addresses; empty when somebody does. */
async function whyUnheard(
  { alerts }: Tenant,
  addresses: readonly string[],
  kind: "outage" | "critical_held",
): Promise<UnheardAlert[]> {
  if (addresses.length === 0) return [kind];
  const refused = await alerts.refusedBy(addresses);
  return refused.length === addresses.length ? [`${kind}_refused`] : [];
}
