/** What the whole app needs from the world: the highest room's view, which holds every other room's. */
export type { Ports } from "./modules/reports/ports.ts";
export type { Tenancy, Tenant } from "./modules/reports/tenant.ts";
