import { isFormClosed } from "./form-closed.ts";
import { isCurrent, isGone, type StoredReferral } from "./referral-repository.ts";
import type { ReferralRequest } from "./request.ts";
import { FORMER_ALIVE, plainReason, type ReviewReason } from "./review-reason.ts";
import { REFERRAL_STATUSES, type ReferralStatus } from "./snapshots.ts";

/** Statuses after which somebody has to do something (interface §3). */
const NEEDS_A_PERSON: ReadonlySet<string> = new Set<ReferralStatus>([
  "INSUFFICIENT_DATA",
  "FAILED_TEST",
  "BILLING_FAILED",
  "TRANSFERRED",
  "REFUNDED",
  "PENDING_VERIFICATION",
]);

/** Statuses after which the service is not expected to say more. */
export const FINISHED_STATUSES = ["COMPLETE", "REFUNDED", "TRANSFERRED", "BILLING_FAILED"] as const;

/** Statuses that ordering anew can put right. A transferred referral still brings results, elsewhere. */
const REORDERABLE: ReadonlySet<string> = new Set<ReferralStatus>([
  "BILLING_FAILED",
  "FAILED_TEST",
  "INSUFFICIENT_DATA",
  "REFUNDED",
]);

/** Whether no results will come of it any more, and a new order may stand in its place. */
export const isFailed = ({ status }: Pick<StoredReferral, "status">) => REORDERABLE.has(status);

/**
 * Why a person is needed for a request whose referrals need a person, or null. One that was deleted or
 * replaced needs nobody, unless nothing else is left of its part of the request.
 */
export function attentionFor(
  referrals: readonly (StandingReferral & Pick<StoredReferral, "status">)[],
): ReviewReason | null {
  const current = referrals.filter(isCurrent);
  if (referrals.some(livesBesideNext)) return { code: "referral", detail: FORMER_ALIVE };
  if (isAnyPartGone(referrals)) return plainReason("deleted_at_service");
  const needy = current.find(({ status }) => NEEDS_A_PERSON.has(status));
  if (needy) return { code: "referral", detail: needy.status };
  const isUnknown = current.some(({ status }) => !isKnownStatus(status));
  return isUnknown ? { code: "referral", detail: "unknown_status" } : null;
}

/** Whether it can be used at the service, though another was ordered or made in its place. Nothing is left to stop once its laboratory has reported. */
export const livesBesideNext = (one: StandingReferral & Pick<StoredReferral, "status">): boolean =>
  one.replacedBy !== null && one.deletedAt === null && isUsable(one);

const USABLE: ReadonlySet<string> = new Set<ReferralStatus>([
  "CREATED",
  "ISSUED",
  "SCHEDULED_REISSUE",
  "PENDING_VERIFICATION",
]);

/** Whether a laboratory would take its form, now or once there is one. */
export const isUsable = ({ status }: Pick<StoredReferral, "status">): boolean => USABLE.has(status);

type StandingReferral = Pick<StoredReferral, "uuid" | "deletedAt" | "replacedBy" | "medicare">;

/** Whether one of the two referrals of a Medicare request was deleted, or the only one, and nothing stands in its place. */
export const isAnyPartGone = (referrals: readonly StandingReferral[]): boolean =>
  [true, false].some((medicare) =>
    isGoneWhole(referrals.filter((one) => one.medicare === medicare)),
  );

/** A referral that the service itself replaced is gone with its replacement. A part that was ordered again is another request's matter. */
function isGoneWhole(own: readonly StandingReferral[]): boolean {
  const isOfItself = (uuid: string) => own.some((one) => one.uuid === uuid);
  const left = own.filter(({ replacedBy }) => replacedBy === null || !isOfItself(replacedBy));
  return left.length > 0 && left.every(isGone);
}

/** Statuses in which a form must not be used (interface §3): a new one is made, or the laboratory does not take it. */
const WITHOUT_FORM: ReadonlySet<string> = new Set<ReferralStatus>([
  "SCHEDULED_REISSUE",
  "PENDING_VERIFICATION",
  "INSUFFICIENT_DATA",
  "FAILED_TEST",
  "BILLING_FAILED",
  "TRANSFERRED",
  "REFUNDED",
]);

/** Whether the service makes a new form of a referral. The old one is closed meanwhile. */
export const isBeingRemade = ({ status }: Pick<StoredReferral, "status">): boolean =>
  status === "SCHEDULED_REISSUE";

/** Whether the form of a referral is of no use until somebody has done something. One that is remade is no case of that. */
export const isFormHeldBack = ({ status, otherPerson }: FormFacts): boolean =>
  otherPerson === true || (WITHOUT_FORM.has(status) && !isBeingRemade({ status }));

/** Facts of a referral on which it depends whether its form is of use. */
type FormFacts = Pick<StoredReferral, "status" | "otherPerson">;

/** Whether the form of a referral must not be used now: by its status, because it is another person's, or because its unit is cancelled. */
export const formIsOff = (
  request: Pick<ReferralRequest, "cancellation" | "kept">,
  referral: FormFacts,
) => WITHOUT_FORM.has(referral.status) || isFormHeldBack(referral) || isFormClosed(request);

/**
 * Whether results came of a referral, some or all. The service makes no new form of it any more (interface §3); one that is
 * downloaded again may have been drawn anew, with another time of day, and is no correction.
 */
export const isPastForm = ({ status }: Pick<StoredReferral, "status">): boolean =>
  status === "PARTIAL_RESULTS" || status === "COMPLETE";

/** Whether a referral has a form, or gets one by itself (interface §3). */
export const isFormToCome = (referral: Pick<StoredReferral, "status">): boolean =>
  referral.status === "CREATED" || referral.status === "ISSUED" || isBeingRemade(referral);

/** Whether the service has made the form of a referral. */
export const isFormMade = (referral: Pick<StoredReferral, "status">): boolean =>
  referral.status === "ISSUED" || isPastForm(referral);

/** Whether a reason for attention came of the referrals' own state, and goes with it. */
export const isOfReferrals = ({ code }: ReviewReason) =>
  code === "referral" || code === "deleted_at_service";

/** Whether a status is one of interface §3. The service may send others. */
export function isKnownStatus(status: string): status is ReferralStatus {
  return (REFERRAL_STATUSES as readonly string[]).includes(status);
}
