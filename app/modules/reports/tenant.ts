import type { JobQueue } from "../kernel/jobs.ts";
import type { TenancyOf } from "../kernel/tenant.ts";
import type { Tenant as TenantBelow } from "../privacy/tenant.ts";
import type { Job } from "./jobs.ts";
import type { OverviewRepository } from "./overview-repository.ts";
import type { SavedViewRepository } from "./saved-view.ts";
import type { SimulationRepository } from "./simulation.ts";

/** The repositories of this module and of those below, for one shop and inside one transaction. */
export interface Tenant extends TenantBelow {
  overview: OverviewRepository;
  views: SavedViewRepository;
  simulations: SimulationRepository;
  jobs: JobQueue<Job>;
}

export type Tenancy = TenancyOf<Tenant>;
