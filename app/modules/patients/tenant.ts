import type { Tenant as TenantBelow } from "../shops/tenant.ts";
import type { ConsentRepository } from "./consent-repository.ts";
import type { CustomerRepository } from "./customers.ts";
import type { SavedPatientRepository } from "./saved-patient.ts";

/** The repositories of this module and of those below, for one shop and inside one transaction. */
export interface Tenant extends TenantBelow {
  customers: CustomerRepository;
  consents: ConsentRepository;
  savedPatients: SavedPatientRepository;
}
