/** What flow tests need: a whole world, those who act in it, and a way to wait. */
export type { AppPages } from "../../sandbox/world/drivers/app-pages.ts";
export type {
  CustomerApi,
  CustomerRequest,
  PatientDetails,
} from "../../sandbox/world/drivers/customer-api.ts";
export { UnexpectedAnswer } from "../../sandbox/world/drivers/http.ts";
export type { ServiceApi, ServiceReferral } from "../../sandbox/world/drivers/service-api.ts";
export type { ServiceConsole, ServiceFaults } from "../../sandbox/world/drivers/service-console.ts";
export type {
  StoreControl,
  StoreFaults,
  StoreOrder,
} from "../../sandbox/world/drivers/store-control.ts";
export { eventually } from "../../sandbox/world/eventually.ts";
export {
  patients,
  SHIPPING_ADDRESS,
  shopper,
  stranger,
} from "../../sandbox/world/journey/people.ts";
export type { MappedProduct, Processes, WorldLine } from "../../sandbox/world/world-line.ts";
export { connectSql, type Sql } from "./sql.ts";
export { type StartWorldOptions, startWorld, type TestWorld } from "./start-world.ts";
