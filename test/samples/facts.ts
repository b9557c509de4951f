import { gid } from "../../app/modules/kernel/ids.ts";
import type { Document } from "../../app/modules/referrals/document.ts";
import type {
  StoredReferral,
  StoredResult,
} from "../../app/modules/referrals/referral-repository.ts";
import type { ReferralRequest } from "../../app/modules/referrals/request.ts";
import { standingOf } from "../../app/modules/referrals/standing.ts";

/** A day on which everything in these samples happened. */
export const DAY = new Date("2026-11-20T00:00:00Z");

/** The first unit of an order's only line, bought by customer 7, before anything was done about it. */
export const sampleRequest = (fields: Partial<ReferralRequest> = {}): ReferralRequest => {
  const request = { ...FIRST_UNIT, ...fields };
  return { ...request, ...standingOf({ request, referrals: [], results: [] }), ...fields };
};

const FIRST_UNIT: ReferralRequest = {
  id: "request",
  environment: "staging",
  orderId: gid("Order", 1),
  lineItemId: gid("LineItem", 1),
  unit: 1,
  generation: 1,
  referenceNumber: "PW1-ABC",
  title: "Full blood count",
  items: { bundleId: null, tests: ["fbc"], medicareTests: [], practitioner: null },
  state: "awaiting_details",
  resultReason: null,
  reviewReason: null,
  handledReason: null,
  stage: "awaiting_details",
  reason: null,
  cancellation: null,
  missingPart: null,
  riskAccepted: false,
  underAge: false,
  kept: false,
  replacedBy: null,
  customerId: gid("Customer", 7),
  hasPatient: false,
  consentAt: null,
  owner: "buyer",
  invitedAt: null,
  acceptedAt: null,
  resultsHiddenAt: null,
  mailRefusedAt: null,
  redactedAt: null,
  remindersStoppedAt: null,
  attempt: 0,
  attemptStartedAt: null,
  attemptDeadlineAt: null,
  recoveryLowerBound: null,
  emptyScans: 0,
  orderPaidAt: DAY,
  createdAt: DAY,
  updatedAt: DAY,
};

/** A referral that was issued for it. */
export const sampleReferral = (fields: Partial<StoredReferral> = {}): StoredReferral => ({
  uuid: "referral",
  environment: "staging",
  requestId: "request",
  medicare: false,
  status: "ISSUED",
  reference: "R1",
  origin: "API",
  resultUuid: null,
  serviceCreatedAt: DAY,
  serviceUpdatedAt: DAY,
  deletedAt: null,
  fetchedAt: DAY,
  replacedBy: null,
  correction: 0,
  routingMessage: null,
  otherPerson: false,
  ...fields,
});

/** Its result, complete and held. */
export const sampleResult = (fields: Partial<StoredResult> = {}): StoredResult => ({
  uuid: "result",
  environment: "staging",
  requestId: "request",
  referralUuid: "referral",
  status: "COMPLETE",
  partial: false,
  inReview: false,
  receivedAt: null,
  otherPerson: false,
  releasedAt: null,
  heldAt: null,
  holdAlerts: 0,
  correctedAt: null,
  figuresAt: null,
  deletedAt: null,
  serviceUpdatedAt: DAY,
  fetchedAt: DAY,
  ...fields,
});

/** Its form. */
export const sampleDocument = (fields: Partial<Document> = {}): Document => ({
  id: "document",
  requestId: "request",
  customerId: gid("Customer", 7),
  kind: "referral",
  sourceUuid: "referral",
  version: 1,
  partial: false,
  sha256: "0".repeat(64),
  bytes: 1,
  createdAt: DAY,
  ...fields,
});
