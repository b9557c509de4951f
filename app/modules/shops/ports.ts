import type { Ports as PortsBelow } from "../kernel/ports.ts";
import type { EventSender } from "./event-sender.ts";
import type { StoreAccess } from "./store-access.ts";
import type { StoreFactsReader } from "./store-facts.ts";
import type { Tenancy } from "./tenant.ts";

/** The ports that use cases of this module and of those below need. */
export interface Ports extends PortsBelow {
  tenancy: Tenancy;
  eventSender: EventSender;
  storeAccess: StoreAccess;
  storeFacts: StoreFactsReader;
}
