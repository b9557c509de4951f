import type { TenancyOf, Tenant as TenantBelow } from "../kernel/tenant.ts";
import type { AlertRepository } from "./alert.ts";
import type { ConnectionRepository } from "./connection.ts";
import type { ShopRepository } from "./shop.ts";
import type { StaffRepository } from "./staff-role.ts";

/** The repositories of this module and of those below, for one shop and inside one transaction. */
export interface Tenant extends TenantBelow {
  shops: ShopRepository;
  connections: ConnectionRepository;
  staff: StaffRepository;
  alerts: AlertRepository;
}

export type Tenancy = TenancyOf<Tenant>;
