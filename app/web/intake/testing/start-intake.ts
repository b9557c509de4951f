import { createHmac, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { TestDatabase } from "../../../../test/database/database.ts";
import { listening } from "../../../../test/samples/listening.ts";
import { receiveEvent } from "../../../clients/referral-service/events/receive-event.ts";
import {
  eventSigning,
  isSignedInForm,
  verifyEvent,
} from "../../../clients/referral-service/events/verify-event.ts";
import { createConnectionSecrets } from "../../../modules/shops/postgres/connection-secrets.ts";
import type { Clock } from "../../../platform/clock.ts";
import { createLogger } from "../../../platform/logger.ts";
import { closeAfterLargeBody } from "../../close-after-large-body.ts";
import { keepConnections } from "../../keep-connections.ts";
import { createIntake, type IntakeOptions } from "../intake.ts";

export const SECRET = "current-secret";
export const PREVIOUS_SECRET = "previous-secret";
const IDLE_MS = 130_000;
export const SHOP = "one.myshopify.com";

/** A real HTTP server with the intake in front, on a test's database, until the test ends. */
export async function startIntake(db: TestDatabase, options: Partial<IntakeOptions> = {}) {
  const clock: Clock = { now: () => new Date("2026-11-20T00:00:00Z") };
  const secrets = createConnectionSecrets(db.pool, db.sealers);
  const stored: string[] = [];
  const intake = createIntake({
    pool: db.pool,
    sealers: db.sealers,
    clock,
    logger: createLogger("silent"),
    shopifySecrets: [SECRET, PREVIOUS_SECRET],
    eventAddresses: (token) => secrets.byAddress(token),
    verifyEvent: ({ body, headers, signing }) =>
      verifyEvent({ rawBody: body, headers, clock, signing: eventSigning(signing) }).kind ===
      "verified",
    isEventSignedInForm: isSignedInForm,
    readEvent({ signing, ...delivery }) {
      const event = receiveEvent({ ...delivery, signing, now: clock.now() });
      return event.kind === "received" ? event : null;
    },
    onStored: () => stored.push("stored"),
    ...options,
  });
  const server = createServer((request, response) => {
    closeAfterLargeBody(request, response);
    if (!intake(request, response)) response.writeHead(418).end();
  });
  // As the app does: a sender that stood still for seconds would send on a connection that ends at this moment.
  keepConnections(server, { idleMs: IDLE_MS, most: Number.POSITIVE_INFINITY });
  const port = await listening(server);
  return { url: `http://127.0.0.1:${port}`, port, stored };
}

export const sign = (body: Buffer | string, secret: string): string =>
  createHmac("sha256", secret).update(body).digest("base64");

/** The headers of one delivery of Shopify's, truly signed. */
export function webhookHeaders(
  body: Buffer | string,
  { secret = SECRET, ...changed }: Record<string, string> & { secret?: string } = {},
): Record<string, string> {
  return {
    "content-type": "application/json",
    "x-shopify-topic": "orders/paid",
    "x-shopify-shop-domain": SHOP,
    "x-shopify-webhook-id": randomBytes(8).toString("hex"),
    "x-shopify-event-id": randomBytes(8).toString("hex"),
    "x-shopify-triggered-at": "2026-11-20T00:00:00.123456789Z",
    "x-shopify-hmac-sha256": sign(body, secret),
    ...changed,
  };
}
