import type { IncomingMessage as Request, ServerResponse as Response } from "node:http";
import type { Pool } from "pg";
import { type ShopDomain, shopDomain } from "../../modules/kernel/ids.ts";
import type { Environment } from "../../modules/shops/connection.ts";
import type { Clock } from "../../platform/clock.ts";
import { webhooks } from "../../platform/counters.ts";
import { crashPoint } from "../../platform/crash-points.ts";
import type { Sealers } from "../../platform/encryption/sealers.ts";
import { DatabasesDiffer } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import { inStep } from "../../platform/traces.ts";
import { isSmall } from "../close-after-large-body.ts";
import {
  type IntakeLimits,
  MAX_BODY_BYTES,
  NEW_SHOPS,
  REFUSALS,
  SOCKET_LIMITS,
} from "../limits.ts";
import { createThrottle, type Throttle } from "../rate-limiting/throttle.ts";
import { createInboxWriter, type InboxWriter, type NewInboxMessage } from "./inbox-writer.ts";
import { createLoadShedder, type Reservation, TooMuch } from "./load-shedder.ts";
import { type RawBody, readRawBody } from "./raw-body.ts";
import {
  type EventAddresses,
  type EventReader,
  type EventSignatureForm,
  type EventVerifier,
  eventMessage,
} from "./service-event.ts";
import { isSignedInForm, readShopifyWebhook } from "./shopify-webhook.ts";

export interface IntakeOptions {
  /** Of the intake alone: what others do with the database must not make messages wait. */
  pool: Pool;
  sealers: Sealers;
  clock: Clock;
  logger: Logger;
  /** The app's secret and, during a rotation, the previous one. */
  shopifySecrets: readonly string[];
  eventAddresses: EventAddresses;
  verifyEvent: EventVerifier;
  isEventSignedInForm: EventSignatureForm;
  readEvent: EventReader;
  /** Whether `pool` leads to another database than the one in which messages are worked on. None is taken meanwhile. */
  isElsewhere?: () => boolean;
  /** Called after a message is on disk. */
  onStored: () => void;
  /** Called when the database did not take a message, whose sender is told to send it again. */
  onNotStored?: () => void;
  limits?: Partial<IntakeLimits>;
  /** Told of each message whose signature does not fit, with the shop that it named. */
  refusals?: {
    note(
      place: "webhook" | "service_event",
      shop?: ShopDomain | null,
      environment?: Environment,
    ): void;
  };
}

type Intake = IntakeOptions & {
  writeToInbox: InboxWriter;
  /** A genuine event came to this address. */
  onEvent: (token: string, shop: string) => void;
  readMs: number;
};

/** Addresses of events that a genuine event came to. More are forgotten, and looked up like new ones. */
const MAX_USED_ADDRESSES = 10_000;

/** Shops that are known not to be new. More are forgotten, and looked up again. */
const MAX_SHOPS_MET = 10_000;

const EVENT_PATH = /^\/events\/([A-Za-z0-9_-]{16,128})\/?(?:\?.*)?$/;

/**
 * The lean path in front of everything else: check the signature, store the message, say yes. Returns false unless the path
 * is /webhooks or /events. A message without what could be a signature is refused unread. Nothing else happens before the
 * answer (docs/architecture.md, "One order, from webhook to PDF"): 200 stored or known, 400 malformed, 401 bad signature,
 * 404 no such address, 405 no POST, 408 too slow, 413 too large, 503 could not be stored where the work is, or not in time, or
 * there is too much under way, so that the sender tries again.
 */
export function createIntake(given: IntakeOptions) {
  const loadShedder = createLoadShedder(given.limits);
  const write = createInboxWriter({ ...given, storeMs: given.limits?.storeMs });
  const refusals = createThrottle(REFUSALS);
  const usedAddresses = new Map<string, string>();
  const meet = createMeeting(given.sealers);
  const options: Intake = {
    ...given,
    writeToInbox: (message) =>
      loadShedder.inTime(message.shop, async () => {
        await meet(message.shop);
        await write(message);
      }),
    async eventAddresses(token) {
      const usedBy = usedAddresses.get(token);
      const look = () => given.eventAddresses(token);
      const found = await (usedBy ? loadShedder.inTime(usedBy, look) : loadShedder.lookUp(look));
      if (!found) usedAddresses.delete(token);
      return found;
    },
    onEvent(token, shop) {
      if (usedAddresses.size >= MAX_USED_ADDRESSES) usedAddresses.clear();
      usedAddresses.set(token, shop);
    },
    readMs: loadShedder.readMs,
  };
  return (request: Request, response: Response): boolean => {
    const url = request.url ?? "";
    const isWebhook =
      url === "/webhooks" || url.startsWith("/webhooks?") || url.startsWith("/webhooks/");
    if (!isWebhook && !url.startsWith("/events/")) return false;
    const reservation = loadShedder.enter(isSmall(request));
    const take = isWebhook ? takeWebhook : takeEvent;
    const name = isWebhook ? "POST /webhooks" : "POST /events/:address";
    // A sender may name a trace of their own: it is not ours to join.
    inStep(name, { kind: "server", parent: null }, () => take(options, request, reservation))
      .finally(reservation.leave)
      .catch((error: unknown): Outcome => {
        if (error instanceof TooMuch) return "overloaded";
        options.logger.error({ err: error }, "message could not be stored");
        options.onNotStored?.();
        return "not_stored";
      })
      .then(async (outcome) => {
        webhooks.add({ source: isWebhook ? "shopify" : "service", outcome });
        if (outcome === "accepted") answer(response, STATUS.accepted);
        else await refuse({ request, response, status: STATUS[outcome], refusals });
      })
      .catch((error: unknown) => options.logger.error({ err: error }, "message not answered"));
    return true;
  };
}

/** Lets in the messages of a shop that is known here, and rejects those of too many that are not. */
function createMeeting(sealers: Pick<Sealers, "knows">): (shop: ShopDomain) => Promise<void> {
  const newShops = createThrottle(NEW_SHOPS);
  const met = new Set<ShopDomain>();
  return async (shop) => {
    if (met.has(shop)) return;
    if (!(await sealers.knows(shop)) && !(await newShops.turn())) throw new TooMuch();
    if (met.size >= MAX_SHOPS_MET) met.clear();
    met.add(shop);
  };
}

/**
 * Answers in its turn, so that a flood of messages that are not taken goes no faster than we let it. The rest of a small
 * body passes, so that the next request on its connection can be read; that of a large one is not read at all.
 */
async function refuse(refused: {
  request: Request;
  response: Response;
  status: number;
  refusals: Throttle;
}): Promise<void> {
  const { request, response, status, refusals } = refused;
  if (isSmall(request)) request.resume();
  if (!(await refusals.turn(refusalCost(request)))) {
    request.socket.destroy();
    return;
  }
  answer(response, status);
  if (request.complete) return;
  const timer = setTimeout(() => request.socket.destroy(), SOCKET_LIMITS.drainMs).unref();
  request.once("close", () => clearTimeout(timer));
}

/** The cost of refusing a message, in messages without a body: reading and hashing 64 KB takes as much as four. */
const refusalCost = (request: Request): number =>
  isSmall(request) ? 1 + Number(request.headers["content-length"] ?? 0) / REFUSALS.bytes : 1;

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
export const MESSAGE_OUTCOMES = Object.keys(STATUS) as Outcome[];

async function takeWebhook(
  options: Intake,
  request: Request,
  reservation: Reservation,
): Promise<Outcome> {
  if (request.method !== "POST") return "wrong_method";
  const badSignature = (): Outcome => {
    const shop = shopDomain(String(request.headers["x-shopify-shop-domain"] ?? ""));
    options.refusals?.note("webhook", shop);
    return "bad_signature";
  };
  if (!isSignedInForm(request.headers)) return badSignature();
  const body = await readBody(options, request, { reservation, maxBytes: MAX_BODY_BYTES.webhook });
  if (body.kind !== "whole") return body.kind;
  const reading = readShopifyWebhook(request.headers, body.bytes, options.shopifySecrets);
  switch (reading.kind) {
    case "message":
      return store(options, reading.message);
    case "bad_signature":
      return badSignature();
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
  // Another database may not know the address: a sender who is told so might never come again.
  if (options.isElsewhere?.()) throw new DatabasesDiffer();
  const address = token ? await options.eventAddresses(token) : null;
  if (!token || !address) return "unknown_address";
  const { headers } = request;
  const badSignature = (): Outcome => {
    options.refusals?.note("service_event", address.shop, address.environment);
    return "bad_signature";
  };
  if (!options.isEventSignedInForm(headers, address.signing)) return badSignature();
  const body = await readBody(options, request, { reservation, maxBytes: MAX_BODY_BYTES.event });
  if (body.kind !== "whole") return body.kind;
  if (!options.verifyEvent({ body: body.bytes, headers, signing: address.signing }))
    return badSignature();
  options.onEvent(token, address.shop);
  const received = options.readEvent({ body: body.bytes, headers, signing: address.signing });
  // A genuine one that somebody kept is no better than a forged one.
  if (!received) return badSignature();
  return store(options, eventMessage(address, received));
}

async function readBody(
  { readMs }: Intake,
  request: Request,
  limits: { reservation: Reservation; maxBytes: number },
): Promise<RawBody> {
  // Nothing of a body is read that says itself that it is too long.
  if (Number(request.headers["content-length"] ?? 0) > limits.maxBytes)
    return { kind: "too_large" };
  return readRawBody(request, { ...limits, withinMs: readMs });
}

async function store(options: Intake, message: NewInboxMessage): Promise<Outcome> {
  if (options.isElsewhere?.()) throw new DatabasesDiffer();
  await options.writeToInbox(message);
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
