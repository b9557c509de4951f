import { crashPoint } from "../../platform/crash-points.ts";
import { publishAllIn } from "../catalogue/publish-details.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import { queueUnsentMails } from "../kernel/queue-mail.ts";
import type { Ports } from "../privacy/ports.ts";
import { resumeWork } from "../referrals/resume-work.ts";

/**
 * Notes that a shop has installed the app, or has again. Messages that came before the merchant opened the
 * app for the first time are let in now, and requests whose jobs found the shop gone are taken up again.
 */
export async function installShop(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, scope }: { shop: ShopDomain; scope: string },
): Promise<void> {
  await tenancy.inShop(shop, async (tenant) => {
    if (!(await tenant.shops.install(scope, clock.now()))) return;
    await tenant.inbox.unpark();
    await queueUnsentMails(tenant);
    await tenant.jobs.enqueue({ name: "read-store", shop });
    await tenant.jobs.enqueue({ name: "read-store-facts", shop });
    // The app's removal took the texts off the product pages.
    await publishAllIn(tenant);
    await resumeWork(tenant);
    crashPoint("install.before-commit");
  });
}
