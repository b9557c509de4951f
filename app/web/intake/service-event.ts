import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { ShopDomain } from "../../modules/kernel/ids.ts";
import type { Environment, Signing } from "../../modules/shops/connection.ts";
import type { IncomingMessage } from "./store-message.ts";

/** The connection behind an address of ours, as the intake needs it. */
export interface EventAddress {
  shop: ShopDomain;
  environment: Environment;
  signing: Signing;
}

/** Finds the connection that an address belongs to; null when there is none. */
export type EventAddresses = (token: string) => Promise<EventAddress | null>;

/** Whether a delivery is the service's own (app/clients/referral-service/events). */
export type EventVerifier = (delivery: {
  body: Buffer;
  headers: IncomingHttpHeaders;
  signing: Signing;
}) => boolean;

/** The delivery's unique id, wherever the service puts it (interface §6); null when there is none. */
export type EventIdReader = (body: Buffer, headers: IncomingHttpHeaders) => string | null;

/** Reads the envelope of a verified delivery. */
export function readServiceEvent(
  { shop, environment }: EventAddress,
  delivery: { body: Buffer; headers: IncomingHttpHeaders; receivedAt: Date },
  readEventId: EventIdReader,
): IncomingMessage {
  const { body, headers, receivedAt } = delivery;
  return {
    shop,
    source: "service",
    topic: environment,
    eventId: readEventId(body, headers)?.slice(0, 200) ?? anonymousId(body, receivedAt),
    deliveryId: null,
    triggeredAt: null,
    body,
  };
}

/** The same bytes within a minute are the same event; later they are a new one, which costs one look. */
function anonymousId(body: Buffer, receivedAt: Date): string {
  const minute = Math.floor(receivedAt.getTime() / 60_000);
  return `sha256:${createHash("sha256").update(body).digest("hex")}:${minute}`;
}
