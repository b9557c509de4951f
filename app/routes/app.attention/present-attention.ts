import { hasEnded } from "../../modules/kernel/batch.ts";
import { gidNumber } from "../../modules/kernel/ids.ts";
import { countOf } from "../../modules/kernel/words.ts";
import { reasonKey } from "../../modules/referrals/review-reason.ts";
import type { UnitNumber } from "../../modules/referrals/unit-number.ts";
import { HOLD_REASONS } from "../../modules/referrals/urgency.ts";
import { actionOf, isSentTogether, OPEN } from "../../modules/reports/attention-action.ts";
import type { AttentionItem } from "../../modules/reports/attention-item.ts";
import { nameOfReason } from "../../modules/reports/attention-names.ts";
import { describeItem } from "../../modules/reports/attention-words.ts";
import { mayMarkHandled } from "../../modules/reports/mark-handled.ts";
import { boundedCount } from "../../modules/reports/order-words.ts";
import type { RequestPrices } from "../../modules/reports/price-requests.ts";
import { askToRelease, askToRetry } from "../../modules/reports/question-words.ts";
import {
  type AttentionOverview,
  isForToday,
  REASON_LIMIT,
} from "../../modules/reports/read-orders.ts";
import type { WebApp } from "../../web-app.ts";

export type AttentionRow = ReturnType<typeof presentAttention>["items"][number];

/** Presents what needs a person, in words. */
export function presentAttention(
  app: Pick<WebApp, "describeFailure">,
  overview: AttentionOverview,
) {
  const {
    today,
    items,
    numberOf,
    phones,
    prices,
    reviewer,
    previous,
    next,
    run,
    reasons,
    brokenMappings,
  } = overview;
  const present = (item: AttentionItem) => ({
    ...presentItem(app, item, numberOf),
    reviewer: HOLD_REASONS.has(item.reason.code) ? nameReviewer(reviewer) : null,
    ring: ringAbout(item, phones),
    ...askAbout(item, prices),
  });
  return {
    today: today.map(present),
    items: items.map(present),
    previous,
    next,
    brokenMappings,
    // Of more than are counted, nobody knows each reason.
    mayRetryAll:
      reasons.some(({ code }) => isSentTogether(code)) ||
      reasons.reduce((sum, { count }) => sum + count, 0) >= REASON_LIMIT,
    reasons: reasons.map(({ code, count }) => ({
      code,
      name: nameOfReason(code),
      count: boundedCount(count, REASON_LIMIT - 1),
    })),
    run: run && { id: run.id, isDone: hasEnded(run) },
  };
}

/** Says who may read a held result, to staff who may not. */
const nameReviewer = (reviewer: AttentionOverview["reviewer"]): string =>
  reviewer
    ? `Your reviewer is ${reviewer.name}, ${reviewer.phone}.`
    : "No reviewer is named: a manager chooses one in Settings, Results and release.";

/** One reason of one order, with where to go or what to do. */
export function presentItem(
  { describeFailure }: Pick<WebApp, "describeFailure">,
  item: AttentionItem,
  numberOf: AttentionOverview["numberOf"],
) {
  const { orderId, orderName, paidAt, reason, requestIds, variantId, environment } = item;
  const words = describeItem(item, describeFailure);
  const number = gidNumber(orderId);
  return {
    key: `${number} ${reasonKey(reason)}`,
    number,
    reason: reasonKey(reason),
    orderName,
    paidAt: paidAt.toISOString(),
    tests: nameTests(item.units.map(numberOf)),
    // Nothing can be sent again to an address that is lost.
    action: item.undelivered === "lost" ? OPEN : actionOf(reason),
    isForToday: isForToday({ reason }),
    mayMarkHandled: mayMarkHandled(reason),
    /** A reviewer reads its results. */
    isReviewed: HOLD_REASONS.has(reason.code),
    /** Where its results are reviewed. */
    resultsUrl:
      HOLD_REASONS.has(reason.code) && requestIds.length === 1
        ? `/app/orders/${number}/requests/${requestIds[0]}/results`
        : null,
    environment,
    variantNumber: variantId && gidNumber(variantId),
    version: item.version,
    sentence: words.sentence,
    // One word of staff holds for each of them.
    nextStep:
      item.forms > 1
        ? `${words.nextStep} There are ${item.forms} such forms: make sure of each.`
        : words.nextStep,
  };
}

/** Says which tests of its order an item is about. Null for an order of one test, and for a reason of the order itself. */
function nameTests(units: UnitNumber[]): string | null {
  const of = units[0]?.of ?? 0;
  const numbers = [...new Set(units.map(({ number }) => number))].toSorted((a, b) => a - b);
  if (of < 2) return null;
  if (numbers.length === of || numbers.length > NAMED_TESTS) return countOf(numbers.length, "test");
  const last = numbers.pop();
  return numbers.length === 0
    ? `Test ${last} of ${of}`
    : `Tests ${numbers.join(", ")} and ${last} of ${of}`;
}

/** So many tests are named one by one. */
const NAMED_TESTS = 4;

/** The price of the order that its button makes, and the question before it; null when it orders nothing. */
function askAbout(item: AttentionItem, prices: RequestPrices) {
  const { reason, requestIds, orderName } = item;
  const action = actionOf(reason);
  if (action.kind !== "do") return { costs: [], question: null };
  const costs = requestIds.map((id) => prices.get(id) ?? null);
  const subject = { test: countOf(costs.length, "test"), order: orderName };
  const question =
    action.action === "retry"
      ? askToRetry(subject, costs, reason.code === "ambiguous")
      : askToRelease(subject, costs);
  return { costs, question };
}

/** Says whom to ring about an item, and that no email reaches its customer. */
export function ringAbout(
  { requestIds }: Pick<AttentionItem, "requestIds">,
  phones: AttentionOverview["phones"],
) {
  const [found] = requestIds.flatMap((id) => phones.get(id) ?? []);
  if (!found) return null;
  const isRefused = found.why === "refused";
  switch (found.kind) {
    case "buyer":
      return {
        text: isRefused
          ? "Emails can’t be delivered. Ring the customer:"
          : "Talk about a result to its patient alone. The customer, who may be somebody else:",
        phone: found.phone,
      };
    case "unknown":
      return {
        text: isRefused
          ? "Emails can’t be delivered, and no phone number is known."
          : "No phone number is known.",
        phone: null,
      };
    default:
      return {
        text: isRefused
          ? "Emails to the patient can’t be delivered. The phone number is on the order’s page."
          : "The patient’s phone number is on the order’s page.",
        phone: null,
      };
  }
}
