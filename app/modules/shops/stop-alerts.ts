import type { ShopDomain } from "../kernel/ids.ts";
import { type AlertKind, type AlertReader, readersOf } from "./alert.ts";
import type { Ports } from "./ports.ts";
import type { Tenant } from "./tenant.ts";

/** The alerts that a mailed link ends. */
export interface StopLink {
  kind: AlertKind;
  /** Whether the address still gets them. It may have stopped them before, or have been taken off the list. */
  isDue: boolean;
}

/** Reads a mailed link; null for one that ends no alerts. */
export async function readStopLink(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, token }: { shop: ShopDomain; token: string },
): Promise<StopLink | null> {
  return tenancy.inKnownShop(shop, async (tenant) => {
    const ended = await endedBy(tenant, token);
    return ended && { kind: ended.kind, isDue: ended.readers.length > 0 };
  });
}

/**
 * Ends the alerts of one kind for the one to whom the link was mailed; again and again if asked. The settings show it.
 * Returns which; null for a link that ends none.
 */
export async function stopAlerts(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, token }: { shop: ShopDomain; token: string },
): Promise<AlertKind | null> {
  return tenancy.inKnownShop(shop, async (tenant) => {
    if (!(await endedBy(tenant, token))) return null;
    await tenant.alerts.lockRecipients();
    const ended = await endedBy(tenant, token);
    if (!ended) return null;
    const { kind } = ended;
    for (const { id, email, kinds, stopped } of ended.readers) {
      await tenant.alerts.saveRecipient({
        ...{ id, email },
        kinds: kinds.filter((one) => one !== kind),
        stopped: [...stopped, kind],
      });
      await tenant.accessLog.add({
        ...{ at: clock.now(), who: "link", what: "alerts_changed" },
        detail: { deed: "stopped", recipient: id, kinds: kind },
      });
    }
    return kind;
  });
}

/** The kind of alerts that a link ends, and the recipients at its address who still get them. */
async function endedBy(
  tenant: Tenant,
  token: string,
): Promise<{ kind: AlertKind; readers: AlertReader[] } | null> {
  const link = tenant.alerts.readStopToken(token);
  const settings = link && (await tenant.shops.find());
  if (!link || !settings) return null;
  const { kind, isOf } = link;
  const list = readersOf(settings, await tenant.alerts.recipients());
  const readers = list.filter(
    ({ address, kinds }) => address && isOf(address) && kinds.includes(kind),
  );
  return { kind, readers };
}
