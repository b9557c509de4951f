/** The means of flow tests: a whole world, those who act in it, and a way to wait. */
export type {
  CustomerApi,
  PatientDetails,
} from "../../sandbox/world/drivers/customer-api.ts";
export type { ServiceReferral } from "../../sandbox/world/drivers/service-api.ts";
export type { ServiceFaults } from "../../sandbox/world/drivers/service-console.ts";
export type {
  StoreFaults,
  StoreOrder,
} from "../../sandbox/world/drivers/store-control.ts";
export { eventually } from "../../sandbox/world/eventually.ts";
export {
  patients,
  SHIPPING_ADDRESS,
  shopper,
} from "../../sandbox/world/journey/people.ts";
export type { MappedProduct } from "../../sandbox/world/world-line.ts";
export { putBack, QUICK_WORLD, shareWorld } from "./share-world.ts";
export type { Sql } from "./sql.ts";
export { type StartWorldOptions, startWorld, type TestWorld } from "./start-world.ts";
