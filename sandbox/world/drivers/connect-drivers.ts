import type { ServiceReady, StoreReady } from "../ready-lines.ts";
import { createAppPages } from "./app-pages.ts";
import { createCustomerApi } from "./customer-api.ts";
import { createServiceApi } from "./service-api.ts";
import { createServiceConsole } from "./service-console.ts";
import { createStoreControl } from "./store-control.ts";

export type Drivers = ReturnType<typeof connectDrivers>;

/** Everybody who can do something in a world: the shop, the service's people, the staff, the customers. */
export function connectDrivers(world: {
  appUrl: string;
  service: ServiceReady;
  store: StoreReady;
}) {
  const store = createStoreControl(world.store);
  return {
    store,
    /** The service's web application: faults, statistics, lab bench, clock. */
    console: createServiceConsole(world.service),
    /** The service's REST interface, as an onlooker. */
    service: createServiceApi(world.service),
    /** The app's embedded pages, as the shop's staff. */
    pages: createAppPages(world.appUrl, store.adminToken),
    /** The app's customer interface, as this customer (Shopify global id). */
    customer: (customerId: string) =>
      createCustomerApi(world.appUrl, () => store.customerToken(customerId)),
  };
}
