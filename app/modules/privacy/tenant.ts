import type { Tenant as TenantBelow } from "../access/tenant.ts";
import type { JobQueue } from "../kernel/jobs.ts";
import type { TenancyOf } from "../kernel/tenant.ts";
import type { CleanUpRepository } from "./ended-rows.ts";
import type { Job } from "./jobs.ts";
import type { PrivacyRepository } from "./privacy.ts";
import type { RedactionRepository } from "./redaction.ts";
import type { StaffAccessRepository } from "./staff-access.ts";

/** The repositories of this module and of those below, for one shop and inside one transaction. */
export interface Tenant extends TenantBelow {
  cleanUp: CleanUpRepository;
  privacy: PrivacyRepository;
  redaction: RedactionRepository;
  staffAccess: StaffAccessRepository;
  jobs: JobQueue<Job>;
}

export type Tenancy = TenancyOf<Tenant>;
