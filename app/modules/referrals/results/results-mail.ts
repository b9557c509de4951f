import type { DueNotification } from "../../kernel/notification.ts";
import type { StoredReferral, StoredResult } from "../referral-repository.ts";
import type { ReferralRequest } from "../request.ts";
import { isFurther } from "../requests/referral-parts.ts";
import type { ResultAlert } from "../result-alert.ts";
import type { ResultSnapshot } from "../snapshots.ts";
import type { Tenant } from "../tenant.ts";
import { partOf } from "../unit-parts.ts";

/**
 * The mail which says that a result of a request can be read. A unit with two referrals has two results, which come on days
 * of their own, and each has its mail. So has the result of a referral that came after another of its part, and a second
 * result of one referral. Every other result is a later version of one of them and has no mail. Told by what is stored of the
 * request's referrals and results.
 */
export function resultsMail(
  {
    request,
    referrals,
    results,
  }: { request: ReferralRequest; referrals: StoredReferral[]; results: StoredResult[] },
  { uuid, referralUuid }: Pick<ResultSnapshot, "uuid" | "referralUuid">,
  alert: ResultAlert | null,
): DueNotification {
  // A mail of its own: it is due also for a result that was told of before it became critical.
  const kind = alert?.level === "critical" ? "results_today" : "results_available";
  const due = { requestId: request.id, kind } as const;
  const first = results
    .filter((one) => one.referralUuid === referralUuid)
    .reduce<StoredResult | null>(
      (one, other) => (one && cameBefore(one, other) ? one : other),
      null,
    );
  if (first && first.uuid !== uuid) return { ...due, occurrence: uuid };
  if (isFurther(referralUuid, referrals)) return { ...due, occurrence: referralUuid };
  const isSecond = partOf({ request, referrals }, referralUuid) === "medicare";
  return isSecond ? { ...due, occurrence: "second" } : due;
}

/**
 * Has the mail of a result become due again, for when it is there again. Whether it is critical then does not depend on what its
 * last version said: the service may have withdrawn its figures.
 */
export async function forgetResultsMail(
  { notifications }: Pick<Tenant, "notifications">,
  due: DueNotification,
): Promise<void> {
  for (const kind of ["results_available", "results_today"] as const)
    await notifications.forget({ ...due, kind });
}

/** Of two that came at one moment, one always counts as the first. */
const cameBefore = (one: StoredResult, other: StoredResult) => {
  const [here, there] = [one, other].map(({ receivedAt }) => receivedAt?.getTime() ?? 0);
  return here === there ? one.uuid < other.uuid : Number(here) < Number(there);
};

/** Tells the shop that a patient can see a critical result. One mail for each version of it. */
export const urgentMail = (
  { id: requestId }: Pick<ReferralRequest, "id">,
  { uuid, updatedAt }: Pick<ResultSnapshot, "uuid" | "updatedAt">,
): DueNotification => ({
  requestId,
  kind: "urgent_result_shown",
  occurrence: `${uuid} ${updatedAt}`,
});
