import type { Tenant as TenantBelow } from "../catalogue/tenant.ts";
import type { JobQueue } from "../kernel/jobs.ts";
import type { TenancyOf } from "../kernel/tenant.ts";
import type { CatchUpRepository } from "./catch-up.ts";
import type { DutyDesk } from "./duty-desk.ts";
import type { Job } from "./jobs.ts";
import type { OrderRepository } from "./order.ts";

/** What this room and those below keep of one shop, inside one transaction. */
export interface Tenant extends TenantBelow {
  privacy: DutyDesk;
  orders: OrderRepository;
  catchUps: CatchUpRepository;
  jobs: JobQueue<Job>;
}

export type Tenancy = TenancyOf<Tenant>;
