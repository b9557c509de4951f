import type { Tenant as TenantBelow } from "../shops/tenant.ts";
import type { ConsentRepository } from "./consent-repository.ts";
import type { CustomerRepository } from "./customers.ts";

/** What this room and those below keep of one shop, inside one transaction. */
export interface Tenant extends TenantBelow {
  customers: CustomerRepository;
  consents: ConsentRepository;
}
