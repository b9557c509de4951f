import type { Tenancy } from "../domain/tenant.ts";
import { DatabaseSwitched } from "../lib/errors.ts";
import type { ShopDomain } from "../modules/kernel/ids.ts";
import type { Database, Transaction } from "./database.ts";
import { despiteDeadlocks } from "./deadlocks.ts";
import { pauseAfterRestore, type Restored } from "./pause-after-restore.ts";
import { bulkReorderRepository } from "./repositories/bulk-reorders.ts";
import { bulkRunRepository } from "./repositories/bulk-runs.ts";
import { catchUpRepository } from "./repositories/catch-ups.ts";
import { connectionRepository } from "./repositories/connections.ts";
import { consentRepository } from "./repositories/consents.ts";
import { correctionRepository } from "./repositories/corrections.ts";
import { customerRepository } from "./repositories/customers.ts";
import { documentRepository } from "./repositories/documents.ts";
import { inboxRepository } from "./repositories/inbox.ts";
import { linkRepository } from "./repositories/links.ts";
import { mappingRunRepository } from "./repositories/mapping-desk/mapping-runs.ts";
import { practitionerRepository } from "./repositories/mapping-desk/practitioners.ts";
import { publishedDetailsRepository } from "./repositories/mapping-desk/published-details.ts";
import { storeVariantRepository } from "./repositories/mapping-desk/store-variants.ts";
import { catalogueRepository, mappingRepository } from "./repositories/mappings.ts";
import { notificationRepository } from "./repositories/notifications.ts";
import { orderRepository } from "./repositories/orders.ts";
import { outbox } from "./repositories/outbox.ts";
import { overviewRepository } from "./repositories/overview/overview.ts";
import { privacyRepository } from "./repositories/privacy.ts";
import { redactionRepository } from "./repositories/redaction.ts";
import { referralRepository } from "./repositories/referrals.ts";
import { rehearsalRepository } from "./repositories/rehearsals.ts";
import { requestRepository } from "./repositories/requests.ts";
import { restoreRepository } from "./repositories/restores.ts";
import { resultRepository } from "./repositories/results.ts";
import { revealRepository } from "./repositories/reveals.ts";
import { savedViewRepository } from "./repositories/saved-views.ts";
import { shopRepository } from "./repositories/shops.ts";
import { stepUpRepository } from "./repositories/step-ups.ts";
import { tailRepository } from "./repositories/tail.ts";
import { timelineRepository } from "./repositories/timeline.ts";
import { unreadableRepository } from "./repositories/unreadable-entries.ts";
import type { Sealers } from "./sealer.ts";

const LIMITS = { maxWait: 10_000, timeout: 20_000 };

/**
 * The domain's view of PostgreSQL. Each transaction takes the role `pathway_tenant` and names its shop, so
 * that row-level security hides every other shop's rows even from a query that forgot to ask for its own.
 * `onJobs` is called after a commit that queued work, to wake the relay. A transaction that finds another database than
 * was noted pauses sending, tells `onRestored`, and is done again.
 */
export function createTenancy(options: {
  database: Database;
  sealers: Sealers;
  onJobs: () => void;
  onRestored?: (restored: Restored) => void;
}): Tenancy {
  const { database, sealers, onJobs, onRestored } = options;
  const despiteSwitch = async <T>(transaction: () => Promise<T>): Promise<T> => {
    try {
      return await transaction();
    } catch (error) {
      if (!(error instanceof DatabaseSwitched)) throw error;
      const restored = await pauseAfterRestore(database.pool, { asked: false });
      if (restored.because) onRestored?.(restored);
      onJobs();
      return transaction();
    }
  };
  const tenancy: Tenancy = {
    async inKnownShop(shop, work) {
      return (await sealers.knows(shop)) ? tenancy.inShop(shop, work) : null;
    },
    async inShop(shop, work) {
      const sealer = await sealers.forShop(shop);
      let queuedJobs = false;
      const transaction = () =>
        database.prisma.$transaction(async (tx) => {
          await enterShop(tx, shop);
          const scope = { tx, shop, sealer };
          return work({
            shop,
            shops: shopRepository(scope),
            connections: connectionRepository(scope),
            catalogues: catalogueRepository(scope),
            mappings: mappingRepository(scope),
            mappingRuns: mappingRunRepository(scope),
            practitioners: practitionerRepository(scope),
            storeVariants: storeVariantRepository(scope),
            publishedDetails: publishedDetailsRepository(scope),
            orders: orderRepository(scope),
            requests: requestRepository(scope),
            corrections: correctionRepository(scope),
            consents: consentRepository(scope),
            bulkReorders: bulkReorderRepository(scope),
            customers: customerRepository(scope),
            referrals: referralRepository(scope),
            results: resultRepository(scope),
            documents: documentRepository(scope),
            notifications: notificationRepository(scope),
            links: linkRepository(scope),
            stepUps: stepUpRepository(scope),
            timeline: timelineRepository(scope),
            inbox: inboxRepository(scope),
            privacy: privacyRepository(scope),
            redaction: redactionRepository(scope),
            tail: tailRepository(scope),
            restores: restoreRepository(scope),
            unreadable: unreadableRepository(scope),
            catchUps: catchUpRepository(scope),
            overview: overviewRepository(scope),
            views: savedViewRepository(scope),
            bulkRuns: bulkRunRepository(scope),
            rehearsals: rehearsalRepository(scope),
            reveals: revealRepository(scope),
            jobs: outbox(scope, () => {
              queuedJobs = true;
            }),
          });
        }, LIMITS);
      const value = await despiteSwitch(() => despiteDeadlocks(transaction));
      if (queuedJobs) onJobs();
      return value;
    },
  };
  return tenancy;
}

/**
 * Takes the tenant's role for one shop. In the same statement the database says whether it is the one that was noted:
 * behind a pooler, a connection that was looked at long ago may lead to another server by now.
 */
async function enterShop(tx: Transaction, shop: ShopDomain): Promise<void> {
  const [row] = await tx.$queryRaw<{ isSwitched: boolean }[]>`
    SELECT set_config('role', 'pathway_tenant', true), set_config('pathway.shop', ${shop}, true),
           EXISTS (SELECT FROM database_identity WHERE identity IS DISTINCT FROM live_identity()) AS "isSwitched"`;
  if (row?.isSwitched !== false) throw new DatabaseSwitched();
}
