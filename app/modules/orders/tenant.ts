import type { Tenant as TenantBelow } from "../catalogue/tenant.ts";
import type { JobQueue } from "../kernel/jobs.ts";
import type { TenancyOf } from "../kernel/tenant.ts";
import type { Job } from "./jobs.ts";
import type { OrderRepository } from "./order.ts";
import type { OrderImportRepository } from "./order-import.ts";
import type { PrivacyRequestDesk } from "./privacy-request.ts";

/** The repositories of this module and of those below, for one shop and inside one transaction. */
export interface Tenant extends TenantBelow {
  privacy: PrivacyRequestDesk;
  orders: OrderRepository;
  orderImports: OrderImportRepository;
  jobs: JobQueue<Job>;
}

export type Tenancy = TenancyOf<Tenant>;
