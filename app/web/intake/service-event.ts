import type { IncomingHttpHeaders } from "node:http";
import type { ShopDomain } from "../../modules/kernel/ids.ts";
import type { Environment, Signing } from "../../modules/shops/connection.ts";
import type { NewInboxMessage } from "./inbox-writer.ts";

/** The connection behind an address of ours, as the intake needs it. */
export interface EventAddress {
  shop: ShopDomain;
  environment: Environment;
  signing: Signing;
}

/** Finds the connection that an address belongs to; null when there is none. */
export type EventAddresses = (token: string) => Promise<EventAddress | null>;

/** The requests that came to an address, and how deliveries to it are signed. */
interface Delivery {
  body: Buffer;
  headers: IncomingHttpHeaders;
  signing: Signing;
}

/** Whether a delivery is the service's own (app/clients/referral-service/events). */
export type EventVerifier = (delivery: Delivery) => boolean;

/** Whether a delivery carries what could be a signature of the connection's scheme. Known before its body is read. */
export type EventSignatureForm = (headers: IncomingHttpHeaders, signing: Signing) => boolean;

/** Reads what a verified delivery is known by and kept as; null when it is too old (app/clients/referral-service/events). */
export type EventReader = (delivery: Delivery) => { eventId: string; body: Buffer } | null;

/** The message that a verified delivery is. */
export const eventMessage = (
  { shop, environment }: EventAddress,
  { eventId, body }: { eventId: string; body: Buffer },
): NewInboxMessage => ({
  shop,
  source: "service",
  topic: environment,
  eventId: eventId.slice(0, 200),
  deliveryId: null,
  triggeredAt: null,
  body,
});
