import type { IncomingMessage as Request, ServerResponse as Response } from "node:http";
import type { Pool } from "pg";
import { type ShopDomain, shopDomain } from "../../modules/kernel/ids.ts";
import type { Clock } from "../../platform/clock.ts";
import { webhooks } from "../../platform/counters.ts";
import { crashPoint } from "../../platform/crash-points.ts";
import type { Sealers } from "../../platform/encryption/sealers.ts";
import type { Logger } from "../../platform/logger.ts";
import { createLoadShedder, type Limits, type Reservation, TooMuch } from "./load-shedder.ts";
import { readRawBody } from "./raw-body.ts";
import {
  type EventAddresses,
  type EventIdReader,
  type EventVerifier,
  readServiceEvent,
} from "./service-event.ts";
import { readShopifyWebhook } from "./shopify-webhook.ts";
import { createMessageStore, type IncomingMessage, type StoreMessage } from "./store-message.ts";

export interface IntakeOptions {
  pool: Pool;
  sealers: Sealers;
  clock: Clock;
  logger: Logger;
  /** The app's secret and, during a rotation, the previous one. */
  shopifySecrets: readonly string[];
  eventAddresses: EventAddresses;
  verifyEvent: EventVerifier;
  readEventId: EventIdReader;
  /** Called after a message is on disk. */
  onStored: () => void;
  limits?: Partial<Limits>;
  /** Told of each message whose signature does not fit, with the shop that it named. */
  refusals?: { note(place: "webhook" | "service_event", shop?: ShopDomain | null): void };
}

type Intake = IntakeOptions & { storeMessage: StoreMessage; readMs: number };

const EVENT_PATH = /^\/events\/([A-Za-z0-9_-]{16,128})\/?(?:\?.*)?$/;

/**
 * The lean path in front of everything else: check the signature, store the message, say yes. Returns false
 * for a request that is none of its business. Nothing else happens before the answer (docs/architecture.md,
 * "Intake"): 200 stored or known, 400 malformed, 401 bad signature, 404 no such address, 408 too slow, 413 too large,
 * 503 could not be stored, or not in time, or there is too much under way, so that the sender tries again.
 */
export function createIntake(given: IntakeOptions) {
  const loadShedder = createLoadShedder(given.limits);
  const toStore = createMessageStore(given);
  const options: Intake = {
    ...given,
    storeMessage: (message) => loadShedder.inTime(() => toStore(message)),
    eventAddresses: (token) => loadShedder.inTime(() => given.eventAddresses(token)),
    readMs: loadShedder.readMs,
  };
  return (request: Request, response: Response): boolean => {
    const url = request.url ?? "";
    const isWebhook =
      url === "/webhooks" || url.startsWith("/webhooks?") || url.startsWith("/webhooks/");
    if (!isWebhook && !url.startsWith("/events/")) return false;
    const reservation = loadShedder.enter();
    const take = isWebhook ? takeWebhook : takeEvent;
    take(options, request, reservation)
      .finally(reservation.leave)
      .catch((error: unknown): Outcome => {
        if (error instanceof TooMuch) return "overloaded";
        options.logger.error({ err: error }, "message could not be stored");
        return "not_stored";
      })
      .then((outcome) => {
        webhooks.add({ source: isWebhook ? "shopify" : "service", outcome });
        answer(response, STATUS[outcome]);
      });
    return true;
  };
}

/** The outcome of a message, and the status that tells its sender. */
const STATUS = {
  accepted: 200,
  malformed: 400,
  truncated: 400,
  bad_signature: 401,
  unknown_address: 404,
  wrong_method: 405,
  too_slow: 408,
  too_large: 413,
  no_room: 503,
  overloaded: 503,
  not_stored: 503,
} as const;
type Outcome = keyof typeof STATUS;

async function takeWebhook(
  options: Intake,
  request: Request,
  reservation: Reservation,
): Promise<Outcome> {
  if (request.method !== "POST") return "wrong_method";
  const body = await readRawBody(request, { reservation, withinMs: options.readMs });
  if (body.kind !== "whole") return body.kind;
  const reading = readShopifyWebhook(request.headers, body.bytes, options.shopifySecrets);
  switch (reading.kind) {
    case "message":
      return store(options, reading.message);
    case "bad_signature":
      options.refusals?.note(
        "webhook",
        shopDomain(String(request.headers["x-shopify-shop-domain"] ?? "")),
      );
      return reading.kind;
    case "malformed":
      return reading.kind;
  }
}

async function takeEvent(
  options: Intake,
  request: Request,
  reservation: Reservation,
): Promise<Outcome> {
  if (request.method !== "POST") return "wrong_method";
  const token = EVENT_PATH.exec(request.url ?? "")?.[1];
  const body = await readRawBody(request, { reservation, withinMs: options.readMs });
  if (body.kind !== "whole") return body.kind;
  const address = token ? await options.eventAddresses(token) : null;
  if (!address) return "unknown_address";
  const { headers } = request;
  if (!options.verifyEvent({ body: body.bytes, headers, signing: address.signing })) {
    options.refusals?.note("service_event", address.shop);
    return "bad_signature";
  }
  const delivery = { body: body.bytes, headers, receivedAt: options.clock.now() };
  return store(options, readServiceEvent(address, delivery, options.readEventId));
}

async function store(options: Intake, message: IncomingMessage): Promise<Outcome> {
  await options.storeMessage(message);
  options.onStored();
  return "accepted";
}

function answer(response: Response, status: number): void {
  if (response.destroyed) return;
  response.writeHead(status, {
    "content-length": "0",
    ...(status === 503 ? { "retry-after": "5" } : {}),
    // The rest of its body may never come.
    ...(status === 408 ? { connection: "close" } : {}),
  });
  response.end();
  crashPoint("intake.after-answer");
}
