import type { DueNotification } from "../kernel/notification.ts";
import { queueMail } from "../kernel/queue-mail.ts";
import type { RequestFacts } from "./customer-view.ts";
import { isFormClosed, isRefusedToStore, needsDecision } from "./form-closed.ts";
import { formNamedBy, isFormMail } from "./form-mail.ts";
import { isCurrent, isGone, type StoredReferral } from "./referral-repository.ts";
import { isFormHeldBack, isFormMade, isKnownStatus, isPastForm } from "./status.ts";
import type { Tenant } from "./tenant.ts";

/** Changes of a test that its owner is mailed about, besides forms and complete results. */
export const STATE_NEWS = [
  "cancelled",
  "paused",
  "resumed",
  "deleted",
  "form_gone",
  "form_back",
  "refunded",
  "failed",
  "insufficient",
  "billing",
  "transferred",
  "verification",
  "unknown",
  "in_review",
  "partial",
  "new_figures",
  "changed_in_review",
  "taken_back",
] as const;
export type StateNews = (typeof STATE_NEWS)[number];

/** News that keeps somebody from using a form, which they may have printed. It is read before anything else. */
export const STOPS_FORM: ReadonlySet<StateNews> = new Set([
  ...(["cancelled", "paused", "deleted", "form_gone", "refunded", "failed"] as const),
  ...(["insufficient", "billing", "transferred", "unknown"] as const),
]);

/** News of results. Whoever hides their results hears none of it. */
const NEWS_OF_RESULTS: ReadonlySet<StateNews> = new Set([
  ...(["in_review", "partial", "new_figures", "changed_in_review", "taken_back"] as const),
]);

/** The news of a referral's status (interface §3). Other statuses are told by the form's or the result's own mail. */
const NEWS_OF_STATUS: Record<string, StateNews> = {
  REFUNDED: "refunded",
  FAILED_TEST: "failed",
  INSUFFICIENT_DATA: "insufficient",
  BILLING_FAILED: "billing",
  TRANSFERRED: "transferred",
  PENDING_VERIFICATION: "verification",
};

/** The news of a referral's status as the service names it; null when another mail tells of it. A status that the interface does not have is `unknown`. */
export const newsOfStatus = (status: string): StateNews | null =>
  NEWS_OF_STATUS[status] ?? (isKnownStatus(status) ? null : "unknown");

/** Whether the news still describes the test: something later may have overtaken it. */
export function isStillTrue(news: StateNews, { request, referrals, results }: RequestFacts) {
  if (news === "cancelled") return request.state === "cancelled" || isRefusedToStore(request);
  if (request.state === "cancelled") return false;
  // Nothing is left to decide of a referral that is deleted.
  if (news === "paused")
    return needsDecision(request) && results.length === 0 && referrals.some(isCurrent);
  if (news === "resumed") return request.state === "created" && !isFormClosed(request);
  if (request.resultsHiddenAt && NEWS_OF_RESULTS.has(news)) return false;
  const shown = results.filter(({ releasedAt }) => releasedAt !== null);
  if (news === "partial") return shown.some(({ partial }) => partial);
  if (news === "new_figures") return shown.length > 0;
  if (news === "taken_back") return isAnyTakenBack(results);
  if (news === "in_review" || news === "changed_in_review")
    return results.some((one) => !one.releasedAt && !one.deletedAt && !one.otherPerson);
  const isOver = isOverWith(results);
  const current = referrals.filter(isCurrent);
  // A part that is ordered again has mails about the new referral.
  const isAnyGone = referrals.some((one) => isGone(one) && !isOver(one));
  if (news === "deleted") return current.length === 0 && isAnyGone;
  if (news === "form_gone") return current.length > 0 && isAnyGone;
  if (news === "form_back")
    return !isFormClosed(request) && current.some((one) => isFormOfUse(one) && !isOver(one));
  return current.some((one) => newsOfStatus(one.status) === news && !isOver(one));
}

/** The form of a test is of no use any more once all of its results are there to see, whatever the service says of it since. */
const isOverWith =
  (results: RequestFacts["results"]) =>
  ({ uuid }: StoredReferral): boolean =>
    results.some((one) => one.referralUuid === uuid && isShownWhole(one));

const isShownWhole = ({ releasedAt, partial }: RequestFacts["results"][number]): boolean =>
  releasedAt !== null && !partial;

/** News of results that are not all there to see. */
const IS_TO_COME: ReadonlySet<StateNews> = new Set([
  ...(["in_review", "changed_in_review", "partial"] as const),
]);

/** News of a whole unit: each of its forms is of use, or none. */
const OF_THE_UNIT: ReadonlySet<StateNews> = new Set(["cancelled", "paused", "resumed"]);

/**
 * Whether a mail which tells that results of a test can be read has no need of this news of it, which is true by itself
 * (`isStillTrue`). A unit with two referrals has news of one beside the results of the other.
 */
export function isOldBesideResults(
  due: DueNotification,
  { referrals, results }: Pick<RequestFacts, "referrals" | "results">,
): boolean {
  const news = newsOf(due);
  if (isFormMail(due) || (news && OF_THE_UNIT.has(news))) {
    const named = formNamedBy(due);
    const isOver = isOverWith(results);
    return !referrals.some(
      (one) =>
        (named === null || one.uuid === named) &&
        isCurrent(one) &&
        isFormOfUse(one) &&
        !isOver(one),
    );
  }
  if (!news || !IS_TO_COME.has(news)) return false;
  const [, uuid] = (due.occurrence ?? "").split(" ");
  const result = results.find((one) => one.uuid === uuid);
  return !result || isShownWhole(result) || result.deletedAt !== null || result.otherPerson;
}

const isFormOfUse = (one: StoredReferral): boolean =>
  isFormMade(one) && !isPastForm(one) && !isFormHeldBack(one);

/** Whether the service deleted a result, and no other of its referral is shown instead. */
function isAnyTakenBack(results: RequestFacts["results"]): boolean {
  const isShown = (uuid: string) =>
    results.some(({ releasedAt, referralUuid }) => releasedAt !== null && referralUuid === uuid);
  return results.some(
    ({ deletedAt, referralUuid }) => deletedAt !== null && !isShown(referralUuid),
  );
}

/** Records that the unit's owner is to be mailed, once for each occurrence. */
export async function announceState(
  tenant: Tenant,
  { requestId, news, occurrence }: { requestId: string; news: StateNews; occurrence: string },
  now: Date,
): Promise<void> {
  const due: DueNotification = {
    requestId,
    kind: "state_changed",
    occurrence: `${news} ${occurrence}`,
  };
  await queueMail(tenant, due, { now });
}

/** A status that goes back and forth is told once it stays. */
const BACK_AFTER_MS = 10 * 60_000;

/**
 * Records that the unit's owner is to be mailed about one referral, unless that is what they heard of it last. `form_back` takes
 * something back that they were told: without that, there is nothing to say.
 */
export async function announceReferral(
  tenant: Tenant,
  news: StateNews,
  { requestId, uuid, now }: { requestId: string; uuid: string; now: Date },
): Promise<void> {
  const all = await tenant.notifications.ofRequests([requestId]);
  // A mail about the form itself waits for this, and says as much. One that names the unit's other form does not.
  const isFormTold = all.some(
    (one) => one.sentAt === null && isFormMail(one) && (formNamedBy(one) ?? uuid) === uuid,
  );
  if (news === "form_back" && isFormTold) return;
  const mails = all.filter(
    ({ kind, occurrence }) => kind === "state_changed" && occurrence.split(" ")[1] === uuid,
  );
  const sent = mails.flatMap((mail) => (mail.sentAt ? [{ mail, at: mail.sentAt.getTime() }] : []));
  const last = sent.toSorted((one, other) => one.at - other.at).at(-1);
  const lastTold = last ? newsOf(last.mail) : null;
  if (lastTold === news || (news === "form_back" && lastTold === null)) return;
  const later = news === "form_back" ? { startAfter: new Date(now.getTime() + BACK_AFTER_MS) } : {};
  const waiting = mails.find((mail) => mail.sentAt === null && newsOf(mail) === news);
  const due: DueNotification = {
    ...{ requestId, kind: "state_changed" },
    occurrence: waiting?.occurrence ?? `${news} ${uuid} ${now.toISOString()}`,
  };
  if (!waiting) await tenant.notifications.note(due, now);
  await tenant.jobs.enqueue({ name: "send-mail", shop: tenant.shop, ...due }, later);
}

/** Reads the news back from a mail's occurrence; null when another version wrote it. */
export function newsOf({ occurrence = "" }: DueNotification): StateNews | null {
  const [word] = occurrence.split(" ");
  return STATE_NEWS.find((one) => one === word) ?? null;
}
