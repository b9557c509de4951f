import {
  type DueNotification,
  type NotificationKind,
  readerOfOccurrence,
} from "../../kernel/notification.ts";
import type { Tenant } from "../../privacy/tenant.ts";
import { mayAskForCorrection } from "../../referrals/ask-for-correction.ts";
import { awaitCorrection } from "../../referrals/await-correction.ts";
import type { RequestFacts } from "../../referrals/customer-view.ts";
import { isFormClosed } from "../../referrals/form-closed.ts";
import { formNamedBy } from "../../referrals/form-mail.ts";
import { isCurrent, isHeld, type StoredReferral } from "../../referrals/referral-repository.ts";
import type { ReferralRequest } from "../../referrals/request.ts";
import { gatherFacts } from "../../referrals/request-facts.ts";
import { isStillTrue, newsOf } from "../../referrals/state-news.ts";
import { isBeingRemade, isFormHeldBack, isPastForm } from "../../referrals/status.ts";
import { isDelayed } from "../../referrals/tell-delayed.ts";
import { waitingWith } from "../../referrals/waiting-patients.ts";
import { askedUnits } from "../../referrals/waiting-units.ts";
import { findInstalled } from "../../shops/find-installed.ts";
import type { Shop } from "../../shops/shop.ts";

/** Whether the mail still says something true that was not said before. */
export async function isDue(
  tenant: Tenant,
  request: ReferralRequest,
  due: DueNotification,
): Promise<boolean> {
  if ((await tenant.notifications.find(due))?.sentAt) return false;
  return isStillNews(tenant, request, due);
}

const TELL_OF_LEAVING: ReadonlySet<NotificationKind> = new Set([
  "results_elsewhere",
  "patients_waiting",
]);

/**
 * The shop for which a mail speaks. Null where it has left, but for a mail that tells of that: nobody else speaks for it, and
 * should it come back, what is unsent is sent then.
 */
export const speakerOf = (tenant: Tenant, { kind }: DueNotification): Promise<Shop | null> =>
  TELL_OF_LEAVING.has(kind) ? tenant.shops.find() : findInstalled(tenant);

/**
 * The same of a mail that may have been sent: whether it would still be true if it were sent again. What was read already in this
 * transaction is not read again: the shop (`speakerOf`), and the facts of the request.
 */
export async function isStillNews(
  tenant: Tenant,
  request: ReferralRequest,
  due: DueNotification,
  { settings, facts }: { settings?: Shop; facts?: RequestFacts | undefined } = {},
): Promise<boolean> {
  if (request.state === "cancelled" && due.kind !== "state_changed") return false;
  const speaker = settings ?? (await speakerOf(tenant, due));
  if (!speaker) return false;
  // The shop is still told to ring about a critical one (`urgent_result_shown`, `ring_today`).
  const tellsOfResults = due.kind === "results_available" || due.kind === "results_today";
  if (tellsOfResults && request.resultsHiddenAt) return false;
  switch (due.kind) {
    case "results_elsewhere":
    case "patients_waiting":
      return isStillCutOff(tenant, request, due, speaker);
    case "details_needed":
      return (await askedUnits(tenant, request, "buyer")).length > 0;
    case "details_reminder":
      if (request.remindersStoppedAt || (await isReminderFollowed(tenant, due))) return false;
      return (await askedUnits(tenant, request, request.owner)).length > 0;
    case "order_delayed":
      return isDelayed(request);
    case "correction_needed":
      return mayAskForCorrection(request, await tenant.referrals.forRequests([request.id]));
    case "correction_refused":
      // Corrected again meanwhile: what becomes of that is not known yet.
      return (await tenant.corrections.pending(request.id)) === null;
    case "form_ready":
    case "form_corrected":
      return isAnyFormUsable(tenant, request, { due, facts });
    case "unit_for_you":
      return due.occurrence === String(request.invitedAt?.getTime()) && !request.acceptedAt;
    case "results_available":
    case "results_today":
    case "urgent_result_shown": {
      // Held again or deleted since: when it is shown again, that is told.
      const results = facts?.results ?? (await tenant.results.forRequests([request.id]));
      return results.some(({ releasedAt }) => releasedAt !== null);
    }
    case "ring_today":
    case "review_due":
    case "review_today":
      // Released since: there is nothing left to review.
      return (await tenant.results.forRequests([request.id])).some(isHeld);
    case "state_changed": {
      const news = newsOf(due);
      const [known] = facts ? [facts] : await gatherFacts(tenant, [request]);
      return news !== null && known !== undefined && isStillTrue(news, known);
    }
    case "patient_unreachable":
      return request.mailRefusedAt !== null;
    case "details_given":
    case "link_renewed":
    case "correction_link":
      return true;
  }
}

/** Whether a later reminder waits to be sent as well, as after a mail server was away for days: it says the same. */
async function isReminderFollowed(
  { notifications }: Tenant,
  { requestId, kind, occurrence }: DueNotification,
): Promise<boolean> {
  const waiting = await notifications.waiting([requestId], [kind]);
  const at = waiting.findIndex((one) => one.occurrence === occurrence);
  return at !== -1 && at < waiting.length - 1;
}

/** Nobody is sent to a laboratory with the form of a cancelled unit, or with which the service does not go on, or after the results. */
async function isAnyFormUsable(
  tenant: Tenant,
  request: ReferralRequest,
  { due, facts }: { due: DueNotification; facts: RequestFacts | undefined },
): Promise<boolean> {
  if (isFormClosed(request)) return false;
  const read = facts?.referrals ?? (await tenant.referrals.forRequests([request.id]));
  // The form with the old details is closed. Its mail goes out once there is one with the corrected details, or they are refused.
  const [known] = await awaitCorrection(tenant, [{ request, referrals: read }]);
  const all = known?.referrals ?? read;
  const named = all.filter(({ uuid }) => uuid === formNamedBy(due));
  const referrals = named.length > 0 ? named : all;
  const isUsable = (one: StoredReferral) =>
    isCurrent(one) && !isFormHeldBack(one) && !isPastForm(one) && !isBeingRemade(one);
  return referrals.length === 0 || referrals.some(isUsable);
}

/** Whether patients of a shop that has left, or is cut off, still wait. One that is back tells them itself. */
async function isStillCutOff(
  tenant: Tenant,
  request: ReferralRequest,
  due: DueNotification,
  shop: Shop,
): Promise<boolean> {
  const { occurrence } = readerOfOccurrence(due.occurrence);
  const hasLeft = !shop.installed;
  if (occurrence.startsWith("left") ? occurrence !== `left ${shop.epoch}` || !hasLeft : hasLeft)
    return false;
  return (await waitingWith(tenant, request)).length > 0;
}
