import type { CustomerId, LineItemId, OrderId } from "../kernel/ids.ts";
import type { UnitOwner } from "../patients/unit-owner.ts";
import type { Environment } from "../shops/connection.ts";
import type { Cancellation } from "./cancellation.ts";
import type { OrderedItems } from "./referral-service.ts";
import type { ResultReason, ReviewReason } from "./review-reason.ts";
import type { Stage } from "./stage.ts";

/** States of the ledger (docs/architecture.md, "The ledger"). */
export const REQUEST_STATES = [
  "awaiting_details",
  "ready",
  "held",
  "sending",
  "created",
  "rejected",
  "ambiguous",
  "cancelled",
] as const;
export type RequestState = (typeof REQUEST_STATES)[number];

/** States in which certainly nothing exists at the service, so that cancelling needs no call. */
export const UNSENT_STATES = ["awaiting_details", "ready", "held", "rejected"] as const;

/** A Medicare request makes one referral, or two when it orders other tests as well (interface §4.2 rule 7). */
export const REFERRAL_PARTS = ["commercial", "medicare"] as const;
export type ReferralPart = (typeof REFERRAL_PARTS)[number];

/** One patient, one unit of one order line, one generation. */
export interface ReferralRequest {
  id: string;
  environment: Environment;
  orderId: OrderId;
  lineItemId: LineItemId;
  unit: number;
  generation: number;
  /** Unique and derived from the business fact, never from the attempt. */
  referenceNumber: string;
  title: string;
  items: OrderedItems;
  state: RequestState;
  /** Why a person is needed first of all, by its results; or null. */
  resultReason: ResultReason | null;
  /** Why a person is needed by everything else, or null. */
  reviewReason: ReviewReason | null;
  /** The reason that a person has marked as handled, for as long as it is the reason. */
  handledReason: ReviewReason | null;
  /** Where it stands, and why a person is needed, as every list shows it (standing.ts). */
  stage: Stage;
  reason: ReviewReason | null;
  /** That the unit is no longer wanted, and how far that has come. */
  cancellation: Cancellation | null;
  /** Whether staff let the patient keep it although the store took it back. */
  kept: boolean;
  /** The one of two referrals that is still to be made; null when the whole is, or nothing more. */
  missingPart: ReferralPart | null;
  /** Whether a person released it although its order is high-risk. */
  riskAccepted: boolean;
  /**
   * Whether the date of birth that was given last was refused as under the shop's minimum age. Nothing is ordered with an
   * earlier one.
   */
  underAge: boolean;
  /** The request of the next generation, opened in this one's place. */
  replacedBy: string | null;
  customerId: CustomerId | null;
  hasPatient: boolean;
  /** When the details were given, and with them the consent; null while there are none. */
  consentAt: Date | null;
  /** The only one who gives the details and sees form and results: the buyer, or the invited patient. */
  owner: UnitOwner;
  /** When it was last handed to a patient, or given back, and when that patient came. */
  invitedAt: Date | null;
  acceptedAt: Date | null;
  /** When the owner wanted no more reminders. Buyer and patient each say so for themselves. */
  remindersStoppedAt: Date | null;
  /** When the owner withdrew their consent after there were results; null while they are shown. */
  resultsHiddenAt: Date | null;
  /** Since when no mail reaches the owner; null while the address takes mail. */
  mailRefusedAt: Date | null;
  /** When everything about its patient was destroyed; null while it is kept. */
  redactedAt: Date | null;
  attempt: number;
  attemptStartedAt: Date | null;
  attemptDeadlineAt: Date | null;
  /** Everything that the service dates earlier existed before the first attempt; null before there was an attempt. */
  recoveryLowerBound: Date | null;
  emptyScans: number;
  /** When its order was paid, by Shopify. */
  orderPaidAt: Date;
  createdAt: Date;
  updatedAt: Date;
}

/** Reasons by which strict mode asks a person whether it is sent again. */
const ASKS_TO_RETRY: ReadonlySet<string> = new Set([
  "ambiguous",
  "half_created",
  "under_age_unclear",
]);

/** Whether strict mode has asked a person whether it is sent again: all scans found nothing (ledger rule 5). */
export function isLeftToPerson({
  state,
  reviewReason,
}: Pick<ReferralRequest, "state" | "reviewReason">): boolean {
  return state === "ambiguous" && ASKS_TO_RETRY.has(reviewReason?.code ?? "");
}

/** Whether certainly nothing exists at the service. */
export function isUnsent({
  state,
  missingPart,
}: Pick<ReferralRequest, "state" | "missingPart">): boolean {
  return missingPart === null && UNSENT_STATES.some((one) => one === state);
}

/** The account to whose documents a unit's belong: a handed-over unit's belong to no account. */
export const accountOf = (request: ReferralRequest): CustomerId | null =>
  request.owner === "patient" ? null : request.customerId;
