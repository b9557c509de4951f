import type { ShopDomain } from "../kernel/ids.ts";
import type { Ports } from "../privacy/ports.ts";
import {
  areCredentialsRefused,
  areCredentialsUnreadable,
  type Connection,
  type Environment,
  isUnreachableFromHere,
} from "../shops/connection.ts";
import { findInstalled } from "../shops/find-installed.ts";
import { noteAlert } from "../shops/note-alert.ts";

/** An outage is told that has lasted so long: a shorter one is over before anybody could act. */
export const ALERT_AFTER_MS = 5 * 60_000;

type AlertOutcome = "outage_told" | "end_told" | "nothing_to_tell";

/**
 * Notes an email to everybody who wants to hear of outages, once that the service is away where the shop's orders go, and
 * once that it is back. The connection says which outage was told, in the same transaction. While nobody wants to hear
 * of it, nothing is told: whoever is added while it lasts hears of it. Workflows of the merchant are started with it.
 */
export async function alertOutage(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, environment }: { shop: ShopDomain; environment: Environment },
): Promise<AlertOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    const settings = await findInstalled(tenant);
    const connection = await tenant.connections.find(environment);
    if (!settings || !connection) return "nothing_to_tell";
    const at = clock.now();
    const told = toldOf(connection, { isLive: settings.environment === environment, now: at });
    const since = told ?? connection.outageToldSince;
    if (told === undefined || !since) return "nothing_to_tell";
    const isOver = told === null;
    const facts = {
      ...{ kind: "outage" as const, environment, isOver, since: since.toISOString() },
      isRefused: areCredentialsRefused(connection),
      isUnreadable: areCredentialsUnreadable(connection),
      isUnreachable: isUnreachableFromHere(connection),
    };
    const occurrence = `${environment} ${facts.since}${isOver ? " over" : ""}`;
    const noted = await noteAlert(tenant, settings, { occurrence, facts, at });
    const { startFlows } = settings;
    if (told && noted === 0 && !startFlows) return "nothing_to_tell";
    const change = { from: connection.outageToldSince, to: told };
    const isFirst = await tenant.connections.recordOutageTold(environment, change);
    if (!isFirst) return "nothing_to_tell";
    const flow = { environment, since: facts.since, isOver };
    if (startFlows) await tenant.jobs.enqueue({ name: "start-outage-flow", shop, ...flow });
    return told ? "outage_told" : "end_told";
  });
}

/** The outage to tell, null for the end of the one that was told, undefined for nothing. */
function toldOf(
  { failing, outageToldSince }: Connection,
  { isLive, now }: { isLive: boolean; now: Date },
): Date | null | undefined {
  // Calls may have been answered in between: it goes on, as whoever was told sees it.
  if (outageToldSince) return failing ? undefined : null;
  const isLong = failing && now.getTime() - failing.since.getTime() >= ALERT_AFTER_MS;
  return isLive && isLong ? failing.since : undefined;
}
