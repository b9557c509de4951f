import type { Ports as PortsBelow } from "../referrals/ports.ts";
import type { StoreProducts } from "./store-products.ts";
import type { Tenancy } from "./tenant.ts";

/** What use cases of this room and those below need from the world. */
export interface Ports extends PortsBelow {
  tenancy: Tenancy;
  storeProducts: StoreProducts;
}
