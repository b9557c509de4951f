import { gidNumber } from "../../modules/kernel/ids.ts";
import { countOf } from "../../modules/kernel/words.ts";
import type { Review, Reviews } from "../../modules/privacy/read-reviews.ts";
import { CONTACT_WORDS } from "../../modules/referrals/contact-words.ts";

export type ReviewView = ReturnType<typeof presentReviews>["reviews"][number];

/** The held results in words, for their reviewer. */
export function presentReviews({ reviews, more, staffNames }: Reviews) {
  return { more, reviews: reviews.map((one) => presentReview(one, staffNames)) };
}

function presentReview(one: Review, staffNames: Reviews["staffNames"]) {
  const { requestId, orderId, orderName, title, unit, held, patient, alerts } = one;
  return {
    requestId,
    order: gidNumber(orderId),
    orderName,
    title,
    page: `/app/orders/${gidNumber(orderId)}/requests/${requestId}/results`,
    reports: one.reports,
    what: `${title}, test ${unit.number} of ${unit.of}, order ${orderName} · ${countOf(held, "result")} held`,
    patient: patient
      ? [patient.name, patient.age === null ? null : countOf(patient.age, "year")]
          .filter(Boolean)
          .join(", ")
      : "Patient’s details deleted",
    isUrgent: one.isUrgent,
    isSensitive: one.isSensitive,
    heldAt: one.heldAt?.toISOString() ?? null,
    alerts: alerts > 0 ? `The reviewer was alerted ${timesOf(alerts)}.` : "Nobody was alerted yet.",
    next: one.next && { text: NEXT[one.next.kind], at: one.next.at.toISOString() },
    last: one.next ? null : "No further alert follows: it stays held until you release it.",
    contacts: one.contacts.map(({ reached, at, by }) => ({
      text: CONTACT_WORDS[reached],
      at: at.toISOString(),
      by: staffNames.get(by) ?? "your staff",
    })),
  };
}

const NEXT = {
  alert: "If nobody releases it, the reviewer is alerted again",
  release: "If nobody releases it, the patient is asked to ring you and sees it",
};

const timesOf = (count: number) => (count === 1 ? "once" : `${count} times`);
