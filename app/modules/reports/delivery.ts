import type { OrderId } from "../kernel/ids.ts";
import type { ToldEvent } from "../kernel/inbox.ts";
import type { Environment } from "../shops/connection.ts";

/** A delivery of the service to Pathway's webhook address: one event, or refused ones that came together. */
export type Delivery = { id: string; at: Date } & (
  | {
      kind: "accepted";
      environment: Environment;
      eventType: string | null;
      isReadable: boolean;
      /** `waiting`: nobody has looked at it yet. `fetched`: what it speaks of was fetched since. */
      ledTo: ToldEvent["ledTo"] | "waiting" | "fetched" | null;
      /** The order that it is about, where that is known. */
      orderId: OrderId | null;
    }
  /** The connection is known since it is noted. */
  | { kind: "refused"; count: number; environment: Environment | null }
);

/** So many of the last deliveries are shown. */
export const DELIVERIES_SHOWN = 20;
