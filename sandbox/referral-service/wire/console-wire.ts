import { z } from "zod";
import { eventTypes } from "../events/event.ts";
import { payloadShapes, signatureSchemes } from "../events/webhook-store.ts";
import { timestamp, uuid } from "./common.ts";
import { referral } from "./referral-wire.ts";

export const accountToken = z.strictObject({ token: z.string(), email: z.string() });
export const deleted = z.strictObject({ deleted: z.literal(true) });
export const clock = z.strictObject({ now: timestamp });

export const profile = z.strictObject({
  email: z.string(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  practitionerType: z.string().nullable(),
  verified: z.boolean(),
});

export const organisation = z.strictObject({
  uuid,
  name: z.string(),
  billing: z.enum(["valid", "declined", "none"]),
  holdResultsForReview: z.boolean(),
  requirePatientVerification: z.boolean(),
});

export const apiKey = z.strictObject({ client_id: z.string(), client_secret: z.string() });

export const apiKeyList = z.array(
  z.strictObject({
    client_id: z.string(),
    integration: z.enum(["store", "api"]),
    createdAt: timestamp,
  }),
);

export const webhook = z.strictObject({
  url: z.string(),
  secret: z.string(),
  previousSecret: z.string().nullable(),
  scheme: z.enum(signatureSchemes),
  header: z.string(),
  shape: z.enum(payloadShapes),
});

export const delivery = z.strictObject({
  id: z.string(),
  eventId: z.string(),
  event: z.enum(eventTypes),
  referralUuid: uuid,
  resultUuid: uuid.nullable(),
  createdAt: timestamp,
  state: z.enum(["waiting", "delivered", "failed", "dropped"]),
  status: z.int().nullable(),
  attempts: z.array(
    z.strictObject({
      at: timestamp,
      status: z.int().nullable(),
      ms: z.int(),
      error: z.string().nullable(),
    }),
  ),
  nextAttemptAt: timestamp.nullable(),
});

export const deliveryList = z.array(delivery);

export const providerNumber = z.strictObject({
  providerNumber: z.string().length(8),
  name: z.string(),
  address: z.string(),
  signature: z.boolean(),
  routing: z.boolean(),
});

export const providerNumberList = z.array(providerNumber);

export const consoleReferralList = z.strictObject({
  referrals: z.array(referral),
  before: z.int().nullable(),
});

export const stats = z.strictObject({
  calls: z.record(z.string(), z.int()),
  referralsByReferenceNumber: z.record(z.string(), z.int()),
  openConnections: z.int(),
});

export const mailList = z.array(
  z.strictObject({
    id: z.int(),
    to: z.string(),
    attachments: z.array(uuid),
    sentAt: timestamp,
  }),
);
