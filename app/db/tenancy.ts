import type { Tenancy } from "../domain/tenant.ts";
import type { Database } from "./database.ts";
import { connectionRepository } from "./repositories/connections.ts";
import { documentRepository } from "./repositories/documents.ts";
import { inboxRepository } from "./repositories/inbox.ts";
import { catalogueRepository, mappingRepository } from "./repositories/mappings.ts";
import { notificationRepository } from "./repositories/notifications.ts";
import { orderRepository } from "./repositories/orders.ts";
import { outbox } from "./repositories/outbox.ts";
import { overviewRepository } from "./repositories/overview/overview.ts";
import { privacyRepository } from "./repositories/privacy.ts";
import { referralRepository } from "./repositories/referrals.ts";
import { rehearsalRepository } from "./repositories/rehearsals.ts";
import { requestRepository } from "./repositories/requests.ts";
import { resultRepository } from "./repositories/results.ts";
import { revealRepository } from "./repositories/reveals.ts";
import { shopRepository } from "./repositories/shops.ts";
import { timelineRepository } from "./repositories/timeline.ts";
import type { Sealers } from "./sealer.ts";

/**
 * The domain's view of PostgreSQL. Each transaction takes the role `pathway_tenant` and names its shop, so
 * that row-level security hides every other shop's rows even from a query that forgot to ask for its own.
 * `onJobs` is called after a commit that queued work, to wake the relay.
 */
export function createTenancy(options: {
  database: Database;
  sealers: Sealers;
  onJobs: () => void;
}): Tenancy {
  const { database, sealers, onJobs } = options;
  return {
    async inShop(shop, work) {
      const sealer = await sealers.forShop(shop);
      let queuedJobs = false;
      const value = await database.prisma.$transaction(
        async (tx) => {
          await tx.$executeRaw`SELECT set_config('role', 'pathway_tenant', true), set_config('pathway.shop', ${shop}, true)`;
          const scope = { tx, shop, sealer };
          return work({
            shop,
            shops: shopRepository(scope),
            connections: connectionRepository(scope),
            catalogues: catalogueRepository(scope),
            mappings: mappingRepository(scope),
            orders: orderRepository(scope),
            requests: requestRepository(scope),
            referrals: referralRepository(scope),
            results: resultRepository(scope),
            documents: documentRepository(scope),
            notifications: notificationRepository(scope),
            timeline: timelineRepository(scope),
            inbox: inboxRepository(scope),
            privacy: privacyRepository(scope),
            overview: overviewRepository(scope),
            rehearsals: rehearsalRepository(scope),
            reveals: revealRepository(scope),
            jobs: outbox(scope, () => {
              queuedJobs = true;
            }),
          });
        },
        { maxWait: 10_000, timeout: 20_000 },
      );
      if (queuedJobs) onJobs();
      return value;
    },
  };
}
