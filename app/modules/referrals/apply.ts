import { isDeepStrictEqual } from "node:util";
import { duplicateReferrals } from "../../platform/counters.ts";
import { together } from "../../platform/together.ts";
import { queueUnsentMails } from "../kernel/queue-mail.ts";
import type { Actor } from "../kernel/timeline.ts";
import { isFormClosed, isRefusedToStore, needsDecision } from "./form-closed.ts";
import type { LedgerEvent, Step } from "./ledger/events.ts";
import type { LedgerFacts } from "./ledger/facts.ts";
import { transition } from "./ledger/transitions.ts";
import { reachMilestone } from "./reach-milestone.ts";
import type { ReferralRequest, RequestState } from "./request.ts";
import type { PatientOnRequest, RequestChange } from "./request-repository.ts";
import { standingOf } from "./standing.ts";
import { announceState, newsOf, type StateNews } from "./state-news.ts";
import type { Tenant } from "./tenant.ts";
import { FINDING_REASONS } from "./urgency.ts";

export interface Applied {
  /** The request as it is afterwards. */
  request: ReferralRequest;
  step: Step;
}

/**
 * The only writer of a request's state: locks its row, asks the table (ledger/transitions.ts), and writes the row with
 * where it stands, the line of the timeline and the work that follows, in the caller's transaction. Null when the event
 * changes nothing: the request is gone, somebody else was there first, or the event is about another attempt. Where the
 * request stands is written also then, for its referrals and results may have changed in this transaction. `patient` is
 * whose details were given with the event: they are written with the state. `known` is what is stored of referrals and
 * results, for whoever read it just now under the lock.
 */
export async function apply(
  tenant: Tenant,
  requestId: string,
  event: LedgerEvent,
  { actor, at, patient }: { actor: Actor; at: Date; patient?: PatientOnRequest },
  known?: Pick<LedgerFacts, "referrals" | "results">,
): Promise<Applied | null> {
  const before = await tenant.requests.findForUpdate(requestId);
  if (!before) return null;
  const isOurs = UNSENT.has(before.state) && OURS.has(event.kind);
  const none = { referrals: [], results: [] };
  const held = isOurs ? none : (known ?? (await heldByService(tenant, requestId)));
  const facts = { ...before, ...held };
  const step = transition(facts, event);
  if (typeof step === "string") {
    await write(tenant, facts, { state: before.state });
    return null;
  }
  const { to, change, records, detail, queues } = step;
  const given = patient && { given: { patient, consentAt: at } };
  const request = (await write(tenant, facts, { state: to, ...change, ...given })) ?? before;
  const { orderId } = request;
  if (change.reviewReason?.code === "duplicate_referral") duplicateReferrals.add({});
  if (records)
    await tenant.timeline.add({
      kind: records,
      actor,
      at,
      orderId,
      requestId,
      ...(detail && { detail }),
    });
  if (isEnded(request) && !isEnded(before) && event.kind !== "redacted")
    await announceEnd(tenant, requestId, at);
  // Nothing is ordered with details whose date of birth was said to be another.
  if (to === "awaiting_details" && request.reviewReason?.code === "under_age" && request.hasPatient)
    await tenant.requests.forgetPatient(requestId);
  await tellOfPause(tenant, { before, after: request, isRedaction: event.kind === "redacted", at });
  if (queues) await tenant.jobs.enqueue({ name: queues, shop: tenant.shop, requestId });
  return { request, step };
}

/** Whether its owner is told that it was cancelled. */
const isEnded = (request: ReferralRequest): boolean =>
  request.state === "cancelled" || isRefusedToStore(request);

/** Tells its owner that it was cancelled, unless that is what they heard last: a deletion that was refused may be tried again. */
async function announceEnd(tenant: Tenant, requestId: string, at: Date): Promise<void> {
  if ((await lastTold(tenant, requestId, ["cancelled", "resumed"])) === "cancelled") return;
  await announceState(tenant, { requestId, news: "cancelled", occurrence: at.toISOString() }, at);
}

/** The latest of these news that the unit's owner was mailed; null when none was. */
async function lastTold(
  tenant: Tenant,
  requestId: string,
  among: readonly StateNews[],
): Promise<StateNews | null> {
  const mails = await tenant.notifications.ofRequests([requestId]);
  const told = mails
    .flatMap((mail) => (mail.sentAt ? [{ news: newsOf(mail), at: mail.sentAt.getTime() }] : []))
    .filter(({ news }) => news !== null && among.includes(news))
    .toSorted((one, other) => one.at - other.at);
  return told.at(-1)?.news ?? null;
}

/** Tells its owner that a unit's form is not to be used while staff decide about the unit, and when it goes on. */
async function tellOfPause(
  tenant: Tenant,
  {
    before,
    after,
    isRedaction,
    at,
  }: { before: ReferralRequest; after: ReferralRequest; isRedaction: boolean; at: Date },
): Promise<void> {
  const { id: requestId } = after;
  const occurrence = at.toISOString();
  if (needsDecision(after) && !needsDecision(before) && !isRedaction)
    await announceState(tenant, { requestId, news: "paused", occurrence }, at);
  if (!isFormClosed(before) || isFormClosed(after) || after.state === "cancelled") return;
  const last = await lastTold(tenant, requestId, ["paused", "cancelled", "resumed"]);
  if (last !== null && last !== "resumed")
    await announceState(tenant, { requestId, news: "resumed", occurrence }, at);
  // Mails that were held back while the form was closed.
  await queueUnsentMails(tenant, [requestId]);
}

/**
 * Writes where a request stands, whatever was stored. Returns whether anything was wrong. For maintenance, and for what is
 * no event of the ledger: that no mail reaches its owner.
 */
export async function updateStanding(tenant: Tenant, requestId: string): Promise<boolean> {
  const before = await tenant.requests.findForUpdate(requestId);
  if (!before) return false;
  const facts = { ...before, ...(await heldByService(tenant, requestId)) };
  return (await write(tenant, facts, { state: before.state })) !== null;
}

/** Before a request is sent, nothing at the service bears upon these: two statements less. */
const UNSENT: ReadonlySet<RequestState> = new Set(["awaiting_details", "ready", "held"]);
const OURS: ReadonlySet<LedgerEvent["kind"]> = new Set([
  "details_given",
  "held",
  "released",
  "risk_read",
  "claimed",
  "details_overdue",
  "under_age",
  "handed_over",
]);

/** Reads the referrals and results that are stored of the request. */
export async function heldByService(tenant: Tenant, id: string) {
  const [referrals, results] = await together(
    () => tenant.referrals.forRequests([id]),
    () => tenant.results.forRequests([id]),
  );
  return { referrals, results };
}

/** Writes the row and tells the store what it has reached. Null when nothing of it is new. */
async function write(
  tenant: Tenant,
  before: ReferralRequest & LedgerFacts,
  change: RequestChange & Pick<ReferralRequest, "state">,
): Promise<ReferralRequest | null> {
  const { referrals, results } = before;
  const standing = standingOf({ request: { ...before, ...change }, referrals, results });
  const { resultReason, reviewReason } = before;
  // Both are written: an earlier version wrote them into one place (request-row.ts).
  const next = { resultReason, reviewReason, ...change, ...standing };
  const isNew = Object.entries(next).some(
    ([field, value]) => !isDeepStrictEqual(before[field as keyof ReferralRequest], value),
  );
  if (!isNew) return null;
  const request = await tenant.requests.write(before.id, next);
  const { id: requestId, orderId } = request;
  if (isToldOfNeed(standing) && !isToldOfNeed(before)) {
    await tenant.alerts.noteAttention(orderId);
    await reachMilestone(tenant, { orderId, requestId, milestone: "attention_needed" });
  }
  return request;
}

/**
 * Whether the store is told that a person is needed. It is not when a result is why: whoever sees the order there, other apps
 * among them, would know that something was found.
 */
const isToldOfNeed = ({ stage, reason }: Pick<ReferralRequest, "stage" | "reason">): boolean =>
  stage === "attention" && reason !== null && !FINDING_REASONS.has(reason.code);
