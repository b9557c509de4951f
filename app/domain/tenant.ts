import type { CustomerRepository } from "../modules/access/customers.ts";
import type { LinkRepository } from "../modules/access/link.ts";
import type { StepUpRepository } from "../modules/access/step-up.ts";
import type { CatalogueRepository } from "../modules/catalogue/catalogue.ts";
import type { MappingRepository } from "../modules/catalogue/mapping.ts";
import type { PublishedDetailsRepository } from "../modules/catalogue/published.ts";
import type { MappingRunRepository } from "../modules/catalogue/run.ts";
import type { StoreVariantRepository } from "../modules/catalogue/store-variants.ts";
import type { ShopDomain } from "../modules/kernel/ids.ts";
import type { NotificationRepository } from "../modules/kernel/notification.ts";
import type { TimelineRepository } from "../modules/kernel/timeline.ts";
import type { CatchUpRepository } from "../modules/orders/catch-up.ts";
import type { InboxRepository } from "../modules/orders/inbox.ts";
import type { OrderRepository } from "../modules/orders/order.ts";
import type { ConsentRepository } from "../modules/patients/consent-repository.ts";
import type { PrivacyRepository } from "../modules/privacy/privacy.ts";
import type { RedactionRepository } from "../modules/privacy/redaction.ts";
import type { RevealRepository } from "../modules/privacy/reveal.ts";
import type { BulkReorderRepository } from "../modules/referrals/bulk-reorder.ts";
import type { CorrectionRepository } from "../modules/referrals/correction.ts";
import type { DocumentRepository } from "../modules/referrals/document.ts";
import type { PractitionerRepository } from "../modules/referrals/practitioner.ts";
import type {
  ReferralRepository,
  ResultRepository,
} from "../modules/referrals/referral-repository.ts";
import type { RequestRepository } from "../modules/referrals/request-repository.ts";
import type { RestoreRepository } from "../modules/referrals/restore-repository.ts";
import type { TailRepository } from "../modules/referrals/tail-walk.ts";
import type { UnreadableRepository } from "../modules/referrals/unreadable-entry.ts";
import type { BulkRunRepository } from "../modules/reports/bulk-run.ts";
import type { OverviewRepository } from "../modules/reports/overview-repository.ts";
import type { RehearsalRepository } from "../modules/reports/rehearsal.ts";
import type { SavedViewRepository } from "../modules/reports/saved-view.ts";
import type { ConnectionRepository } from "../modules/shops/connection.ts";
import type { ShopRepository } from "../modules/shops/shop.ts";
import type { JobQueue } from "./jobs.ts";

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
