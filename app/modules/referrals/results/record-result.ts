import { queueMail } from "../../kernel/queue-mail.ts";
import type { NewTimelineEntry, TimelineKind } from "../../kernel/timeline.ts";
import type { StoredReferral, StoredResult } from "../referral-repository.ts";
import type { ReferralRequest } from "../request.ts";
import { cancelLate } from "../requests/cancel-late.ts";
import { isOfAnother } from "../requests/of-another.ts";
import { alertOf } from "../result-alert.ts";
import { isOtherPerson, isOtherThanMeant, namedSince, orderedFor } from "../same-person.ts";
import type { NamedPerson, ResultSnapshot } from "../snapshots.ts";
import { announceState, type StateNews } from "../state-news.ts";
import type { Tenant } from "../tenant.ts";
import { isCorrection } from "./corrected.ts";
import { MovedResult } from "./moved-result.ts";
import { recordResultReasons } from "./record-result-reasons.ts";
import { isInReview, isPartial, releaseOf, sameFigures } from "./release.ts";
import { forgetResultsMail, resultsMail, urgentMail } from "./results-mail.ts";

/**
 * Overwrites what is stored of one result with a fresh snapshot, decides whether its patient may see it, and draws the
 * consequences. `request` is locked: what is decided about a release rests on what is stored.
 */
export async function recordResult(
  tenant: Tenant,
  request: ReferralRequest,
  snapshot: ResultSnapshot,
  { askedAt, now, mailWindowMs = 0 }: { askedAt: Date; now: Date; mailWindowMs?: number },
): Promise<void> {
  const settings = await tenant.shops.find();
  const before = await tenant.results.find(snapshot.uuid);
  // A result that one patient could see never becomes another's. The item that follows is of the test that has it.
  if (before && before.requestId !== request.id) throw new MovedResult();
  const kept = before && (await tenant.results.snapshotBefore(snapshot.uuid));
  const referrals = await tenant.referrals.forRequests([request.id]);
  const { otherPerson, named } = await whomNamed(tenant, { request, snapshot, before, referrals });
  const { releasedAt, heldAt } = releaseOf({
    policy: {
      releasePolicy: settings?.releasePolicy ?? "hold_all",
      hasReviewer: settings === null || settings.reviewer !== null,
    },
    before: before && { ...before, snapshot: kept },
    snapshot,
    title: request.title,
    otherPerson,
    now,
  });
  const { environment, id: requestId, orderId } = request;
  const partial = isPartial(snapshot);
  const isDeletedNow = snapshot.deletedAt !== null && before !== null && before.deletedAt === null;
  const hasCorrection = kept === null ? isToldAnew(before, snapshot) : isCorrection(kept, snapshot);
  const wasSeen =
    before !== null &&
    (isDeletedNow || hasCorrection) &&
    (await wasEverShown(tenant, request, before));
  const isCorrected = wasSeen && hasCorrection;
  const read = {
    environment,
    requestId,
    snapshot,
    partial,
    inReview: isInReview(snapshot),
    otherPerson,
    named,
    releasedAt,
    heldAt,
    correctedAt: isCorrected ? now : (before?.correctedAt ?? null),
    figuresAt: before && sameFigures(kept, snapshot) ? before.figuresAt : now,
    at: askedAt,
  };
  const saved = await tenant.results.save(read, before);
  if (saved !== "stored") return;
  const { uuid, status } = snapshot;
  const hasChanged = before && (before.partial !== partial || !sameFigures(kept, snapshot));
  if (hasChanged || (before?.otherPerson && !otherPerson))
    // The report that is stored shows other figures, or names another person.
    await tenant.documents.withdrawReport(snapshot.uuid, now);
  await tenant.timeline.add(
    ...newsOf(before, { ...snapshot, otherPerson }, releasedAt).map(
      (kind): NewTimelineEntry => ({
        kind,
        actor: kind === "result_released" ? "pathway" : "service",
        at: now,
        orderId,
        requestId,
        detail: kind === "result_stored" ? { uuid, status, partial } : { uuid },
      }),
    ),
  );
  const alert = alertOf(snapshot);
  // A critical value does not wait for the rest.
  const isCritical = alert?.level === "critical";
  const wasShown = before?.releasedAt && kept && alertOf(kept)?.level === "critical";
  const isShownNow = isCritical && releasedAt !== null && !wasShown;
  // The sample was taken before the unit was cancelled. Its patient has the result, and somebody is told.
  if (request.state === "cancelled" && snapshot.deletedAt === null)
    await cancelLate(tenant, request, now);
  const held = await recordResultReasons(tenant, request, { isShownNow, now, referrals });
  if (heldAt) await tenant.jobs.enqueue({ name: "escalate-hold", shop: tenant.shop, uuid });
  const mail = resultsMail({ request, ...held }, snapshot, alert);
  // The patient is told again when it is there again.
  if (!releasedAt && before?.releasedAt) await forgetResultsMail(tenant, mail);
  // No other mail tells that a critical result has new figures, or is complete now.
  if (isCritical && releasedAt && hasChanged) await tenant.notifications.forget(mail);
  // Nor that one which was complete before is so again, with values that came after its mail.
  const told = before?.partial && !partial ? await tenant.notifications.find(mail) : null;
  if (told?.sentAt && read.figuresAt && read.figuresAt > told.sentAt)
    await tenant.notifications.forget(mail);
  if (releasedAt && (isCritical || !partial))
    await queueMail(tenant, mail, { now, windowMs: mailWindowMs });
  const reading = {
    ...{ before, kept, snapshot, releasedAt, heldAt, partial },
    ...{ isCorrected, isTakenBack: wasSeen && isDeletedNow },
  };
  // Deleting changes no time but its own: a result that was given again may be taken back again.
  const updatedAt = snapshot.updatedAt ?? askedAt.toISOString();
  const occurrence = `${uuid} ${snapshot.deletedAt ?? updatedAt}`;
  for (const news of newsForOwner(reading))
    await announceState(tenant, { requestId, news, occurrence }, now);
  if (isShownNow) await queueMail(tenant, urgentMail(request, { uuid, updatedAt }), { now });
}

/**
 * Whether the service has changed a result since it was stored. Where the stored copy is damaged, nothing else tells whether that
 * corrected it: it may have.
 */
function isToldAnew(before: StoredResult | null, { updatedAt }: ResultSnapshot): boolean {
  return before !== null && before.serviceUpdatedAt.getTime() !== Date.parse(updatedAt ?? "");
}

/** Returns the news of a reading that no mail of a complete or critical result tells. */
function newsForOwner({
  before,
  kept,
  snapshot,
  releasedAt,
  heldAt,
  partial,
  isCorrected,
  isTakenBack,
}: {
  before: StoredResult | null;
  kept: ResultSnapshot | null;
  snapshot: ResultSnapshot;
  releasedAt: Date | null;
  heldAt: Date | null;
  partial: boolean;
  /** It reads otherwise than its patient could see it. */
  isCorrected: boolean;
  /** The service deleted it, and its patient could see it before. */
  isTakenBack: boolean;
}): StateNews[] {
  if (snapshot.deletedAt !== null) return isTakenBack ? ["taken_back"] : [];
  if (releasedAt === null) {
    const waits = heldAt !== null || isInReview(snapshot);
    const isToldAlready = before?.releasedAt === null && before.correctedAt !== null;
    if (waits && isCorrected) return isToldAlready ? [] : ["changed_in_review"];
    return waits && (before === null || before.releasedAt !== null) ? ["in_review"] : [];
  }
  if (alertOf(snapshot)?.level === "critical") return [];
  // Shown again after a review, it is not what it was before that.
  if (isCorrected || (before?.correctedAt && before.releasedAt === null)) return ["new_figures"];
  if (before?.releasedAt == null) return partial ? ["partial"] : [];
  // A partial result that became complete has the mail of a complete one.
  const isCompleted = before.partial && !partial;
  const isNewer = kept !== null && !sameFigures(kept, snapshot) && !isCompleted;
  return isNewer ? [partial ? "partial" : "new_figures"] : [];
}

/** Whether its patient could see it at any time, also when it was held or reviewed again since. */
async function wasEverShown(
  tenant: Tenant,
  { orderId }: ReferralRequest,
  { uuid, releasedAt }: StoredResult,
): Promise<boolean> {
  if (releasedAt !== null) return true;
  const story = await tenant.timeline.forOrder(orderId);
  return story.some(({ kind, detail }) => kind === "result_released" && detail?.uuid === uuid);
}

interface Reading {
  request: ReferralRequest;
  snapshot: ResultSnapshot;
  before: StoredResult | null;
  referrals: readonly StoredReferral[];
}

/**
 * Whether the result names another test of ours, or another person than the one whose details the unit has, or is of a referral
 * that does. `named` is whom it named before and has not put right: a reading that leaves the person out vouches for nobody.
 */
async function whomNamed(
  tenant: Tenant,
  { request, snapshot, before, referrals }: Reading,
): Promise<{ otherPerson: boolean; named?: NamedPerson | undefined }> {
  const given = await tenant.requests.patientOf(request.id);
  const ordered = given && orderedFor(given);
  const former = before?.otherPerson ? await tenant.results.personBefore(before.uuid) : null;
  const named =
    former && ordered && isOtherPerson(former, ordered)
      ? namedSince(snapshot.person, { before: former, ordered })
      : undefined;
  const referral = referrals.find(({ uuid }) => uuid === snapshot.referralUuid);
  const otherPerson =
    isOfAnother(request, snapshot) ||
    referral?.otherPerson === true ||
    (await isOtherThanPatient(tenant, named ?? snapshot.person, { ordered, referral }));
  return { otherPerson, named };
}

/** The person whom a referral is found to mean is its result's, too. */
async function isOtherThanPatient(
  tenant: Tenant,
  person: NamedPerson | null,
  { ordered, referral }: { ordered: NamedPerson | null; referral: StoredReferral | undefined },
): Promise<boolean> {
  if (!person || !ordered || !isOtherPerson(person, ordered)) return false;
  if (referral?.otherPerson !== false) return true;
  const meant = await tenant.referrals.personOf(referral.uuid);
  return meant === null || isOtherThanMeant(person, { meant, ordered });
}

/** Returns the timeline's news of a reading. */
function newsOf(
  before: StoredResult | null,
  { status, deletedAt, otherPerson }: ResultSnapshot & { otherPerson: boolean },
  releasedAt: Date | null,
): TimelineKind[] {
  const news: TimelineKind[] = [];
  if (before?.status !== status) news.push("result_stored");
  if (otherPerson && !before?.otherPerson) news.push("result_other_person");
  if (deletedAt && !before?.deletedAt) news.push("result_deleted");
  else if (!releasedAt && before?.releasedAt) news.push("result_held_again");
  if (releasedAt && !before?.releasedAt) news.push("result_released");
  return news;
}
