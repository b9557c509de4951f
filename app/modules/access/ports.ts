import type { Ports as PortsBelow } from "../orders/ports.ts";
import type { Tenancy } from "./tenant.ts";

/** The ports that use cases of this module and of those below need. */
export interface Ports extends PortsBelow {
  tenancy: Tenancy;
}
