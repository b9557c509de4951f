/** The ports of the whole app: the highest module's, which hold every other module's. */
export type { Ports } from "./modules/reports/ports.ts";
export type { Tenancy, Tenant } from "./modules/reports/tenant.ts";
