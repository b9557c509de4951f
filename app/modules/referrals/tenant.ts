import type { JobQueue } from "../kernel/jobs.ts";
import type { TenancyOf } from "../kernel/tenant.ts";
import type { Tenant as TenantBelow } from "../patients/tenant.ts";
import type { CatalogueFacts } from "./catalogue-facts.ts";
import type { CorrectionRepository } from "./correction.ts";
import type { DocumentRepository } from "./document.ts";
import type { Job } from "./jobs.ts";
import type { MappingFacts } from "./mapping-facts.ts";
import type { OrderFacts } from "./order-facts.ts";
import type { PractitionerRepository } from "./practitioner.ts";
import type { ReferralRepository, ResultRepository } from "./referral-repository.ts";
import type { RequestRepository } from "./request-repository.ts";
import type { RestoreRepository } from "./restore-repository.ts";
import type { ServiceSyncRepository } from "./sync-walk.ts";
import type { UnreadableRepository } from "./unreadable-entry.ts";

/** The repositories of this module and of those below, for one shop and inside one transaction. */
export interface Tenant extends TenantBelow {
  orders: OrderFacts;
  mappings: MappingFacts;
  catalogues: CatalogueFacts;
  practitioners: PractitionerRepository;
  requests: RequestRepository;
  corrections: CorrectionRepository;
  referrals: ReferralRepository;
  results: ResultRepository;
  documents: DocumentRepository;
  serviceSync: ServiceSyncRepository;
  restores: RestoreRepository;
  unreadable: UnreadableRepository;
  jobs: JobQueue<Job>;
}

export type Tenancy = TenancyOf<Tenant>;
