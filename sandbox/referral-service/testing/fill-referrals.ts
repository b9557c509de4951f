import { createCore } from "../core.ts";
import { ensureSeededOrganisation } from "../organisations/seed.ts";
import { acceptOrder, storeOrder } from "../referrals/create-referrals.ts";
import { issueReferral } from "../referrals/issue-referral.ts";
import { order } from "./harness.ts";

const batchSize = 1000;

/**
 * Fills a data folder with issued referrals of the seeded organisation, far faster than over HTTP,
 * for measurements on long lists. No server may run on the folder meanwhile.
 */
export function fillReferrals(data: string, count: number): void {
  const core = createCore({ port: 0, data, environment: "staging", pace: "instant" });
  const { stores } = core;
  const seed = ensureSeededOrganisation(stores, core.clock.nowMs());
  const organisation = stores.organisations.find(seed.organisationId);
  if (!organisation) throw new Error("there is no seeded organisation");
  const context = { organisation, origin: "STORE_INTEGRATION", version: "1.1.0" } as const;
  for (let done = 0; done < count; done += batchSize) {
    stores.database.transaction(() => {
      for (let index = done; index < Math.min(count, done + batchSize); index += 1) {
        const body = { ...order, referenceNumber: `FILL-${index}`, emailReferralToCustomer: false };
        for (const referral of storeOrder(core, acceptOrder(core, context, body))) {
          issueReferral(core, referral);
        }
      }
    });
  }
  stores.database.close();
}
