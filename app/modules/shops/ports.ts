import type { Ports as PortsBelow } from "../kernel/ports.ts";
import type { EventSender } from "./event-sender.ts";
import type { StoreAccess } from "./store-access.ts";
import type { Tenancy } from "./tenant.ts";

/** What use cases of this room and those below need from the world. */
export interface Ports extends PortsBelow {
  tenancy: Tenancy;
  eventSender: EventSender;
  storeAccess: StoreAccess;
}
