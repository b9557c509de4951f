import type { TenancyOf, Tenant as TenantBelow } from "../kernel/tenant.ts";
import type { ConnectionRepository } from "./connection.ts";
import type { ShopRepository } from "./shop.ts";

/** What this room and those below keep of one shop, inside one transaction. */
export interface Tenant extends TenantBelow {
  shops: ShopRepository;
  connections: ConnectionRepository;
}

export type Tenancy = TenancyOf<Tenant>;
