import type { TenancyOf } from "../kernel/tenant.ts";
import type { Tenant as TenantBelow } from "../orders/tenant.ts";
import type { LinkRepository } from "./link.ts";
import type { StepUpRepository } from "./step-up.ts";

/** What this room and those below keep of one shop, inside one transaction. */
export interface Tenant extends TenantBelow {
  links: LinkRepository;
  stepUps: StepUpRepository;
}

export type Tenancy = TenancyOf<Tenant>;
