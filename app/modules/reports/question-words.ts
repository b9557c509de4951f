import type { Cost } from "../catalogue/cost.ts";
import { describePrice } from "../catalogue/price-words.ts";
import { countOf, type Question } from "../kernel/words.ts";

/** Which tests a question is about. */
interface Subject {
  /** "Iron studies, test 1 of 2". */
  test: string;
  /** "#1001", and who bought it as far as that is known: "#1001 (Sam Chen)". */
  order: string;
}

type Costs = readonly (Cost | null)[];

const about = ({ test, order }: Subject) => `${test}, of order ${order}.`;

/** Asks before a test gets a new referral. The former one stays, and is paid for as it was. */
export function askToReorder(subject: Subject, cost: Cost | null): Question {
  const price = describePrice([cost]);
  return {
    title: "Order this test again?",
    text: `${about(subject)} It gets a new referral with the same patient’s details, or they’re asked for them. ${price.sentence}`,
    action: `Order again${price.suffix}`,
  };
}

/** So many products are named; of the other tests, how many there are. */
const MAX_NAMED = 5;

/** "Iron studies, TSH × 2 and 3 other tests." */
function nameTests(count: number, titles: readonly string[]): string {
  const shown = [...Map.groupBy(titles, (title) => title)].slice(0, MAX_NAMED);
  const left = count - shown.reduce((sum, [, alike]) => sum + alike.length, 0);
  const names = shown.map(([title, { length }]) => (length > 1 ? `${title} × ${length}` : title));
  if (names.length === 0) return "";
  return `${names.join(", ")}${left > 0 ? ` and ${countOf(left, "other test")}` : ""}. `;
}

/** Asks before everything is ordered again that could not be charged. `titles`: of the tests, or the first of them. */
export function askToReorderAll(count: number, costs: Costs, titles: readonly string[]): Question {
  const price = costs.length === count ? describePrice(costs) : UNCOUNTED;
  return {
    title: `Order ${countOf(count, "test")} again?`,
    text: `${nameTests(count, titles)}Each gets a new referral with the same patient’s details. ${price.sentence}`,
    action: `Order again${price.suffix}`,
  };
}

/** Too many to add up. */
const UNCOUNTED = {
  suffix: "",
  sentence: "The service charges its catalogue’s price for each. The sum isn’t known beforehand.",
};

/** Asks before a test that failed to be ordered is sent once more. */
export function askToRetry(subject: Subject, costs: Costs, isUnclear: boolean): Question {
  const price = describePrice(costs);
  const risk = isUnclear
    ? " Its answer got lost: look for it in the service first, or it may be ordered and charged twice."
    : "";
  return {
    title: `Send ${costs.length > 1 ? countOf(costs.length, "test") : "this test"} again?`,
    text: `${about(subject)}${risk} ${price.sentence}`,
    action: `Retry${price.suffix}`,
  };
}

/** Asks before the details of a test are deleted of which nobody knows whether it was ordered. */
export function askToWaitForDetails(subject: Subject): Question {
  return {
    title: "Wait for other details?",
    text: `${about(subject)} Nothing is sent, because the date of birth given last is under your minimum age. The earlier details are deleted here. Look for the test in the service first: if it’s there, cancel it instead.`,
    action: "Wait for other details",
  };
}

/** Asks before the patient goes on with a test that was refunded. */
export function askToKeep(subject: Subject): Question {
  return {
    title: "Let the patient keep this test?",
    text: `${about(subject)} Its form opens again, and whoever was told of the pause is emailed that the test goes ahead. The refund in Shopify stays as it is, and the service charges for the test as before.`,
    action: "Let the patient keep it",
  };
}

/** Asks before what was held is ordered. */
export function askToRelease(subject: Subject, costs: Costs): Question {
  const price = describePrice(costs);
  return {
    title: `Release ${costs.length > 1 ? countOf(costs.length, "test") : "this test"}?`,
    text: `${about(subject)} It’s ordered as soon as it’s released. ${price.sentence}`,
    action: `Release${price.suffix}`,
  };
}

/** Asks before many orders are acted on, where that orders tests; null where it costs nothing. */
export function askOfMany(action: string, orders: number | null, costs?: Costs): Question | null {
  if (action !== "retry" && action !== "release") return null;
  const price = costs && costs.length > 0 ? describePrice(costs) : UNCOUNTED;
  const which = orders === null ? "every order of this list" : countOf(orders, "order");
  const verb = action === "retry" ? "Retry" : "Release";
  const skipped =
    action === "retry" ? " What may exist at the service is left to you, order by order." : "";
  return {
    title: `${verb} ${which}?`,
    text: `Tests that can be ordered are sent now.${skipped} ${price.sentence}`,
    action: `${verb}${orders === null ? " all" : ""}${price.suffix}`,
  };
}
