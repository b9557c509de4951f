import { refreshWhenDue } from "../catalogue/refresh-catalogue.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import type { Waits } from "../kernel/ports.ts";
import { importOrdersWhenDue } from "../orders/import-orders-when-due.ts";
import { cleanUp } from "../privacy/clean-up.ts";
import { endTimeline, isFirstOfDay } from "../privacy/end-timeline.ts";
import type { Ports } from "../privacy/ports.ts";
import { redactExpired } from "../privacy/redact-expired.ts";
import type { Tenant } from "../privacy/tenant.ts";
import { checkStanding, rangesSince } from "../referrals/check-standing.ts";
import { lookAfterHolds } from "../referrals/escalate-hold.ts";
import { moveWhenNeeded } from "../referrals/move-documents.ts";
import { refetchMissing, refetchOfFormerClient } from "../referrals/refetch-missing.ts";
import { sweepDocuments } from "../referrals/sweep-documents.ts";
import { tellDelayed } from "../referrals/tell-delayed.ts";
import { addressesFor, readersOf } from "../shops/alert.ts";
import { findInstalled } from "../shops/find-installed.ts";
import { alertWebhooks } from "./alert-webhooks.ts";

/** How long what may be without a PDF for good is left alone by the regular look. */
const NO_PDF_PAUSE_MS = 24 * 3_600_000;

/**
 * Does the regular work of a shop, whether or not anything happens there. Most of it mends what a lost message left: open
 * privacy requests, missed orders, PDFs that did not come, scopes, catalogues that are a day old.
 *
 * It also tells: of held results, of delays, of webhooks that fail, and each morning what needs attention. At the end it
 * deletes what is kept no longer, compares where requests stand with the rules, and the stores of documents with their
 * rows.
 *
 * For a shop that has left, only privacy requests, deletions and documents have their turn.
 */
export async function maintainShop(
  ports: Pick<
    Ports,
    "tenancy" | "clock" | "logger" | "documentBodies" | "maintenanceIntervalMs" | "timelineEnder"
  > & {
    waits: Pick<Waits, "reminderDayMs">;
  },
  { shop }: { shop: ShopDomain },
): Promise<void> {
  const isInstalled = await ports.tenancy.inShop(shop, async (tenant) => {
    for (const inboxId of await tenant.privacy.undone())
      await tenant.jobs.enqueue({ name: "do-privacy-request", shop, inboxId });
    await moveWhenNeeded(tenant, ports.documentBodies);
    if (!(await findInstalled(tenant))) return false;
    await lookAfterHolds(tenant);
    // Mends what a lost message about scopes left, and notices other customer accounts.
    await tenant.jobs.enqueue({ name: "read-store-facts", shop });
    if (await tenant.orders.isAnyUnindexed())
      await tenant.jobs.enqueue({ name: "index-orders", shop });
    await refreshWhenDue(tenant, ports.clock.now());
    await scheduleSummary(tenant, ports.clock.now());
    await tellDelayed(tenant, { now: ports.clock.now(), dayMs: ports.waits.reminderDayMs });
    await refetchMissing(tenant, new Date(ports.clock.now().getTime() - NO_PDF_PAUSE_MS));
    for (const { environment, clientSince } of await tenant.connections.all())
      if (clientSince) await refetchOfFormerClient(tenant, environment, { clientSince });
    return true;
  });
  if (isInstalled) {
    await alertWebhooks(ports, { shop });
    await importOrdersWhenDue(ports, shop);
  }
  await redactExpired(ports, shop);
  await cleanUp(ports, shop);
  if (isFirstOfDay(ports.clock.now(), ports.maintenanceIntervalMs)) await endTimeline(ports, shop);
  if (isInstalled)
    for (const range of rangesSince(ports.clock.now(), ports.maintenanceIntervalMs))
      await checkStanding(ports, shop, range);
  await sweepDocuments(ports, shop);
}

/** While somebody wants it. Jobs of one morning are one job, however often they are asked for. */
async function scheduleSummary(tenant: Tenant, now: Date): Promise<void> {
  const settings = await findInstalled(tenant);
  if (!settings) return;
  const readers = readersOf(settings, await tenant.alerts.recipients());
  if (addressesFor("daily", readers).length === 0) return;
  const { at, day } = await tenant.alerts.nextMorning(now, settings.timeZone);
  const job = { name: "alert-daily", shop: tenant.shop, day } as const;
  await tenant.jobs.enqueue(job, { startAfter: at });
}
