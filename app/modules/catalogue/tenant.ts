import type { JobQueue } from "../kernel/jobs.ts";
import type { TenancyOf } from "../kernel/tenant.ts";
import type { Tenant as TenantBelow } from "../referrals/tenant.ts";
import type { CatalogueRepository } from "./catalogue.ts";
import type { Job } from "./jobs.ts";
import type { MappingRepository } from "./mapping.ts";
import type { MappingChangeRepository } from "./mapping-change.ts";
import type { PublishedDetailsRepository } from "./published.ts";
import type { StoreVariantRepository } from "./store-variants.ts";
import type { WaitingOrders } from "./waiting-orders.ts";

/** The repositories of this module and of those below, for one shop and inside one transaction. */
export interface Tenant extends TenantBelow {
  orders: WaitingOrders;
  catalogues: CatalogueRepository;
  mappings: MappingRepository;
  mappingChanges: MappingChangeRepository;
  storeVariants: StoreVariantRepository;
  publishedDetails: PublishedDetailsRepository;
  jobs: JobQueue<Job>;
}

export type Tenancy = TenancyOf<Tenant>;
