import type { ShopDomain } from "../kernel/ids.ts";
import { equalSecrets } from "../kernel/secret.ts";
import { ALERT_KINDS, type AlertKind, type AlertReader, readersOf } from "./alert.ts";
import type { Ports } from "./ports.ts";
import type { Tenant } from "./tenant.ts";

/** The alerts that a mailed link ends; null for a link that is none of these. */
export async function readStopLink(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, token }: { shop: ShopDomain; token: string },
): Promise<AlertKind | null> {
  return tenancy.inKnownShop(shop, async (tenant) => (await endedBy(tenant, token))?.kind ?? null);
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
      if (!kinds.includes(kind)) continue;
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

/** The recipients whose link this is, and what it ends. */
async function endedBy(
  tenant: Tenant,
  token: string,
): Promise<{ kind: AlertKind; readers: AlertReader[] } | null> {
  const settings = await tenant.shops.find();
  if (!settings) return null;
  const list = readersOf(settings, await tenant.alerts.recipients());
  for (const kind of ALERT_KINDS) {
    const readers = list.filter(
      ({ address }) => address && equalSecrets(token, tenant.alerts.stopTokenOf(address, kind)),
    );
    if (readers.length > 0) return { kind, readers };
  }
  return null;
}
