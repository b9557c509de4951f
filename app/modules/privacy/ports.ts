import type { Ports as PortsBelow } from "../access/ports.ts";
import type { ErasureNotes, ShopEraser, TimelineEnder } from "./privacy.ts";
import type { Tenancy } from "./tenant.ts";

/** The ports that use cases of this module and of those below need. */
export interface Ports extends PortsBelow {
  tenancy: Tenancy;
  shopEraser: ShopEraser;
  erasureNotes: ErasureNotes;
  timelineEnder: TimelineEnder;
}
