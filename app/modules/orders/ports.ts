import type { Ports as PortsBelow } from "../catalogue/ports.ts";
import type { StoreOrderList } from "./listed-order.ts";
import type { StoreOrders } from "./order.ts";
import type { OrderStatusPublisher } from "./order-status-publisher.ts";
import type { Tenancy } from "./tenant.ts";

/** The ports that use cases of this module and of those below need. */
export interface Ports extends PortsBelow {
  tenancy: Tenancy;
  storeOrders: StoreOrders;
  storeOrderList: StoreOrderList;
  orderStatusPublisher: OrderStatusPublisher;
}
