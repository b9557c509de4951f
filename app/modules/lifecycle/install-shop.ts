import { storesInDoubt } from "../../platform/counters.ts";
import { crashPoint } from "../../platform/crash-points.ts";
import { publishAllIn } from "../catalogue/publish-details.ts";
import type { OrderId, ShopDomain } from "../kernel/ids.ts";
import { queueUnsentMails } from "../kernel/queue-mail.ts";
import type { Ports } from "../privacy/ports.ts";
import type { Tenant } from "../privacy/tenant.ts";
import { resumeWork } from "../referrals/resume-work.ts";
import type { SignIn } from "../shops/store-doubt.ts";

/**
 * Notes that a shop has installed the app, or has again. Messages that came before the merchant opened the
 * app for the first time are let in now, and requests whose jobs found the shop gone are taken up again.
 *
 * `storeId` is Shopify's id of the store that signs in; null where Shopify did not tell. A store that has the name of one that has
 * left brings nothing of that one back: its work rests, and its erasure goes on (docs/decisions/0175).
 */
export async function installShop(
  { tenancy, clock, logger }: Pick<Ports, "tenancy" | "clock" | "logger">,
  { shop, scope, storeId = null }: { shop: ShopDomain; scope: string; storeId?: string | null },
): Promise<SignIn> {
  return tenancy.inShop(shop, async (tenant) => {
    // First, as where an order is read: each locks the id before the shop's row.
    if (storeId) await tenant.shops.identify(storeId);
    // Held before it is judged: a leaving or an erasure that is being noted meanwhile comes first, and is over.
    const known = await tenant.shops.findForInstall();
    if (known?.otherStoreId) {
      storesInDoubt.add({ code: "domain_of_other_store" });
      logger.warn({ shop, code: "domain_of_other_store" }, "whose orders these are is in doubt");
      // An installed shop tells of the doubt with each reading, for which it needs a session.
      return known.installed ? "kept" : "of_other_store";
    }
    if (known?.storeId && !known.installed && !storeId) return "unknown";
    if (!(await tenant.shops.install(scope, clock.now()))) return "kept";
    if (storeId && !known) await tenant.shops.identify(storeId);
    await tenant.inbox.unpark();
    await queueUnsentMails(tenant);
    await tenant.jobs.enqueue({ name: "read-store", shop });
    await tenant.jobs.enqueue({ name: "read-store-facts", shop });
    // The app's removal may have taken the texts off the product pages.
    await tenant.publishedDetails.doubtAll();
    await publishAllIn(tenant);
    await readWaitingOrders(tenant);
    // All other orders that changed while the app was off.
    if (known) await tenant.jobs.enqueue({ name: "maintain-shop", shop });
    const sendAfter = new Date(clock.now().getTime() + READING_MS);
    await resumeWork(tenant, undefined, { sendAfter });
    crashPoint("install.before-commit");
    return "kept";
  });
}

/** So long the orders that wait have to be read before anything is sent for them. */
const READING_MS = 15_000;

/**
 * Has orders read of which something is about to be sent. Shopify tells nobody of a refund or a cancellation while the app is
 * off, and the regular look for what was missed comes within the hour.
 */
async function readWaitingOrders({ shop, requests, jobs }: Tenant): Promise<void> {
  const orderIds = new Set<OrderId>();
  for (const { name, requestId } of await requests.stalled()) {
    const isSent = name === "create-referral" || name === "resolve-ambiguous";
    const request = isSent ? await requests.find(requestId) : null;
    if (request) orderIds.add(request.orderId);
  }
  for (const orderId of orderIds) await jobs.enqueue({ name: "reconcile-order", shop, orderId });
}
