import type { CustomerRepository } from "./account/customers.ts";
import type { BulkRunRepository } from "./bulk/bulk-run.ts";
import type { CatchUpRepository } from "./catch-up/catch-up.ts";
import type { ConnectionRepository } from "./connections/connection.ts";
import type { DocumentRepository } from "./documents/document.ts";
import type { TailRepository } from "./events/tail-walk.ts";
import type { ShopDomain } from "./ids.ts";
import type { InboxRepository } from "./inbox.ts";
import type { JobQueue } from "./jobs.ts";
import type { LinkRepository } from "./links/link.ts";
import type { CatalogueRepository } from "./mappings/catalogue.ts";
import type { PublishedDetailsRepository } from "./mappings/details/published.ts";
import type { MappingRepository } from "./mappings/mapping.ts";
import type { MappingRunRepository } from "./mappings/runs/run.ts";
import type { StoreVariantRepository } from "./mappings/store/store-variants.ts";
import type { NotificationRepository } from "./notifications/notification.ts";
import type { OrderRepository } from "./orders/order.ts";
import type { OverviewRepository } from "./overview/overview-repository.ts";
import type { ConsentRepository } from "./patients/consent.ts";
import type { CorrectionRepository } from "./patients/correction.ts";
import type { PractitionerRepository } from "./practitioners/practitioner.ts";
import type { PrivacyRepository } from "./privacy/privacy.ts";
import type { RedactionRepository } from "./privacy/redaction.ts";
import type { ReferralRepository, ResultRepository } from "./referrals/referral-repository.ts";
import type { UnreadableRepository } from "./referrals/unreadable-entry.ts";
import type { RehearsalRepository } from "./rehearsals/rehearsal.ts";
import type { BulkReorderRepository } from "./requests/bulk-reorder.ts";
import type { RequestRepository } from "./requests/request-repository.ts";
import type { RestoreRepository } from "./restore/restore-repository.ts";
import type { RevealRepository } from "./reveals/reveal.ts";
import type { ShopRepository } from "./shops/shop.ts";
import type { StepUpRepository } from "./step-up/step-up.ts";
import type { TimelineRepository } from "./timeline/timeline.ts";
import type { SavedViewRepository } from "./views/saved-view.ts";

/** Everything of one shop, inside one transaction. */
export interface Tenant {
  shop: ShopDomain;
  shops: ShopRepository;
  connections: ConnectionRepository;
  catalogues: CatalogueRepository;
  mappings: MappingRepository;
  mappingRuns: MappingRunRepository;
  practitioners: PractitionerRepository;
  storeVariants: StoreVariantRepository;
  publishedDetails: PublishedDetailsRepository;
  orders: OrderRepository;
  requests: RequestRepository;
  corrections: CorrectionRepository;
  consents: ConsentRepository;
  bulkReorders: BulkReorderRepository;
  customers: CustomerRepository;
  referrals: ReferralRepository;
  results: ResultRepository;
  documents: DocumentRepository;
  notifications: NotificationRepository;
  links: LinkRepository;
  stepUps: StepUpRepository;
  timeline: TimelineRepository;
  inbox: InboxRepository;
  privacy: PrivacyRepository;
  redaction: RedactionRepository;
  tail: TailRepository;
  restores: RestoreRepository;
  unreadable: UnreadableRepository;
  catchUps: CatchUpRepository;
  overview: OverviewRepository;
  views: SavedViewRepository;
  bulkRuns: BulkRunRepository;
  rehearsals: RehearsalRepository;
  reveals: RevealRepository;
  jobs: JobQueue;
}

/** Port: the database, through one shop's eyes. */
export interface Tenancy {
  /**
   * Runs `work` in one transaction that sees this shop only. All of it is committed, or nothing is.
   * No call to another system belongs inside, and nothing that is remembered outside: the database may take a
   * transaction back that waits for another one, and then `work` is done again.
   */
  inShop<T>(shop: ShopDomain, work: (tenant: Tenant) => Promise<T>): Promise<T>;
  /**
   * The same for a shop that somebody has only named, in an address or a bearer that nobody signed. Null when there is
   * nothing of such a shop here: it must not begin to exist by being asked about.
   */
  inKnownShop<T>(shop: ShopDomain, work: (tenant: Tenant) => Promise<T>): Promise<T | null>;
}
