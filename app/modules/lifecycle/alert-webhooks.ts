import type { ShopDomain } from "../kernel/ids.ts";
import type { Ports } from "../privacy/ports.ts";
import { findInstalled } from "../shops/find-installed.ts";
import { noteAlert } from "../shops/note-alert.ts";

/** The home page looks back so far, and so often at most the same trouble is told. */
const DAY_MS = 24 * 3_600_000;

type AlertOutcome = "told" | "nothing_to_tell";

/**
 * Notes an email once webhooks fail: no believed event of a connection came since others were refused, or messages in
 * Shopify's name were refused. Told once a day while it goes on.
 */
export async function alertWebhooks(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop }: { shop: ShopDomain },
): Promise<AlertOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    const settings = await findInstalled(tenant);
    if (!settings) return "nothing_to_tell";
    const at = clock.now();
    const yesterday = new Date(at.getTime() - DAY_MS);
    const last = await tenant.alerts.lastNotedAt("webhooks", at);
    if (last && last > yesterday) return "nothing_to_tell";
    let isFailing = false;
    for (const { environment, lastEventAt } of await tenant.connections.all()) {
      const since = lastEventAt && lastEventAt > yesterday ? lastEventAt : yesterday;
      const count = await tenant.accessLog.signaturesRefused("service_event", since, environment);
      isFailing ||= count > 0;
    }
    const events = isFailing
      ? await tenant.accessLog.signaturesRefused("service_event", yesterday)
      : 0;
    const refused = await tenant.inbox.refusedSince(yesterday);
    const messages = refused.map(({ reason, count }) => ({ reason, count }));
    if (events === 0 && messages.length === 0) return "nothing_to_tell";
    const facts = { kind: "webhooks" as const, events, messages };
    // One for the day, whichever process comes to it.
    const occurrence = at.toISOString().slice(0, 10);
    const noted = await noteAlert(tenant, settings, { occurrence, facts, at });
    return noted > 0 ? "told" : "nothing_to_tell";
  });
}
