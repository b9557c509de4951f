import type { ConnectionRepository } from "./connections/connection.ts";
import type { DocumentRepository } from "./documents/document.ts";
import type { ShopDomain } from "./ids.ts";
import type { InboxRepository } from "./inbox.ts";
import type { JobQueue } from "./jobs.ts";
import type { CatalogueRepository } from "./mappings/catalogue.ts";
import type { MappingRepository } from "./mappings/mapping.ts";
import type { NotificationRepository } from "./notifications/notification.ts";
import type { OrderRepository } from "./orders/order.ts";
import type { OverviewRepository } from "./overview/overview-repository.ts";
import type { PrivacyRepository } from "./privacy/privacy.ts";
import type { ReferralRepository, ResultRepository } from "./referrals/referral-repository.ts";
import type { RehearsalRepository } from "./rehearsals/rehearsal.ts";
import type { RequestRepository } from "./requests/request-repository.ts";
import type { RevealRepository } from "./reveals/reveal.ts";
import type { ShopRepository } from "./shops/shop.ts";
import type { TimelineRepository } from "./timeline/timeline.ts";

/** Everything of one shop, inside one transaction. */
export interface Tenant {
  shop: ShopDomain;
  shops: ShopRepository;
  connections: ConnectionRepository;
  catalogues: CatalogueRepository;
  mappings: MappingRepository;
  orders: OrderRepository;
  requests: RequestRepository;
  referrals: ReferralRepository;
  results: ResultRepository;
  documents: DocumentRepository;
  notifications: NotificationRepository;
  timeline: TimelineRepository;
  inbox: InboxRepository;
  privacy: PrivacyRepository;
  overview: OverviewRepository;
  rehearsals: RehearsalRepository;
  reveals: RevealRepository;
  jobs: JobQueue;
}

/** Port: the database, through one shop's eyes. */
export interface Tenancy {
  /**
   * Runs `work` in one transaction that sees this shop only. All of it is committed, or nothing is.
   * No call to another system belongs inside.
   */
  inShop<T>(shop: ShopDomain, work: (tenant: Tenant) => Promise<T>): Promise<T>;
}
