import type { Ports as PortsBelow } from "../access/ports.ts";
import type { ShopEraser } from "./privacy.ts";
import type { Tenancy } from "./tenant.ts";

/** What use cases of this room and those below need from the world. */
export interface Ports extends PortsBelow {
  tenancy: Tenancy;
  shopEraser: ShopEraser;
}
