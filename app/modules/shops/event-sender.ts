import type { ShopDomain } from "../kernel/ids.ts";
import type { Environment } from "./connection.ts";

/** The outcome of an event that was sent to Pathway's own public address. */
export type SentEvent =
  | { kind: "answered"; status: number }
  /** `code`: ENOTFOUND, ECONNREFUSED, CERT_…, or "timeout". */
  | { kind: "unreachable"; code: string };

/** Port: sends a correctly signed event to a connection's own address, through the world outside. */
export interface EventSender {
  /** Null when the shop has no such connection. */
  send(shop: ShopDomain, environment: Environment, eventId: string): Promise<SentEvent | null>;
}
