import type { Tone } from "../kernel/words.ts";
import { countOf } from "../kernel/words.ts";
import type { MappingMeaning } from "../referrals/mapping-facts.ts";
import { SERVICE_CURRENCY } from "../shops/shop.ts";
import type { Catalogue } from "./catalogue.ts";
import type { Cost } from "./cost.ts";
import type { Mapping } from "./mapping.ts";
import { marginOf } from "./margin.ts";
import type { VariantState } from "./store-variants.ts";
import type { SuggestionReason } from "./suggest.ts";

export const VARIANT_STATE_WORDS: Record<VariantState, { name: string; tone: Tone }> = {
  mapped: { name: "Mapped", tone: "success" },
  unmapped: { name: "Unmapped", tone: "attention" },
  ignored: { name: "Not a test", tone: undefined },
  broken: { name: "Broken", tone: "critical" },
};

/** Why something is suggested, in brackets behind it. */
export const SUGGESTION_REASONS: Record<SuggestionReason, string> = {
  same_sku: "matching SKU",
  same_name: "matching name",
  same_short_name: "matching short name",
  similar_name: "similar name",
};

/** A product that had gone from the store before its name was ever read. */
export const NAMELESS_PRODUCT = "A deleted product";

/** Describes a mapping's order in words: one line for each kind of thing. */
export function describeMapping(
  mapping: MappingMeaning | null,
  catalogue: Catalogue | null,
): string[] {
  if (!mapping) return [];
  if (mapping.kind === "ignored") return ["Nothing: it isn’t a test"];
  const { bundleId, tests, medicareTests, practitioner } = mapping.items;
  const nameOf = (id: string) => catalogue?.tests.find((test) => test.id === id)?.name ?? id;
  const bundle = catalogue?.bundles.find((one) => one.id === bundleId);
  const list = (ids: string[]) => ids.map(nameOf).join(", ");
  const doctor = practitioner?.name ? ` (${practitioner.name})` : "";
  return [
    ...(bundleId ? [`Bundle: ${bundle?.name ?? bundleId}`] : []),
    ...(tests.length > 0 ? [`${bundleId ? "Plus" : "Tests"}: ${list(tests)}`] : []),
    ...(medicareTests.length > 0 ? [`Medicare-billed${doctor}: ${list(medicareTests)}`] : []),
  ];
}

/** Describes from what a variant has its meaning, where its product as a whole has one; null elsewhere. */
export function describeOrigin({
  mapping,
  isException,
}: {
  mapping: Mapping | null;
  isException: boolean;
}): string | null {
  if (mapping?.variantId === null) return "Inherited from the whole product";
  return isException ? "An exception from the whole product" : null;
}

/** How many tests that were bought before go out as they were; "" for none. */
export function describeOtherwise(count: number): string {
  if (count === 0) return "";
  const isOne = count === 1;
  return `${countOf(count, "test")} bought before ${isOne ? "isn’t" : "aren’t"} sent yet and still ${isOne ? "orders" : "order"} what it meant then. To change that, cancel ${isOne ? "it" : "them"} and order again.`;
}

/** "$129.00", from cents of Australian dollars. */
export const dollars = (cents: number): string => money({ cents, currency: SERVICE_CURRENCY });

/** A price as the store has it: hundredths of its currency. */
export interface Price {
  cents: number;
  currency: string;
}

/** "$129.00", "NZD 129.00". */
export const money = ({ cents, currency }: Price): string =>
  new Intl.NumberFormat("en-AU", {
    ...{ style: "currency", currency },
    currencyDisplay: currency === SERVICE_CURRENCY ? "symbol" : "code",
  }).format(cents / 100);

/** Whether a price can be held against what the service charges: nobody here knows what another currency is worth. */
export const isComparable = ({ currency }: Pick<Price, "currency">): boolean =>
  currency === SERVICE_CURRENCY;

/**
 * "$40.00 (31%)", "$12.00 below cost". Money first; a percentage only where it says something. Null where the price is in
 * another currency than the cost.
 */
export function describeMargin(price: Price, costCents: number): string | null {
  if (!isComparable(price)) return null;
  const margin = marginOf(price.cents, costCents);
  switch (margin.kind) {
    case "profit":
      return `${dollars(margin.cents)} (${margin.percent}%)`;
    case "even":
      return `${dollars(0)} (0%)`;
    case "loss":
      return `${dollars(margin.cents)} below cost`;
  }
}

/** Warns that something costs more than it is sold for; null when it does not, or when nobody knows that. */
export function describeLoss(price: Price, cost: Cost | null): string | null {
  if (cost === null || !isComparable(price)) return null;
  if (marginOf(price.cents, cost.cents).kind !== "loss") return null;
  return `It costs ${describeCost(cost)}, more than its price of ${money(price)}.`;
}

/** "$45.00", "about $45.00" where the service lists no price of its own (`Cost`). */
export const describeCost = ({ cents, isEstimate }: Cost): string =>
  `${isEstimate ? "about " : ""}${dollars(cents)}`;

/** "2 to 5 days", "1 day"; null when it is not known. */
export function describeTurnaround(
  turnaround: { minimumDays: number | null; maximumDays: number | null } | null,
): string | null {
  const { minimumDays, maximumDays } = turnaround ?? { minimumDays: null, maximumDays: null };
  if (maximumDays === null) return null;
  if (minimumDays === null || minimumDays === maximumDays) return countOf(maximumDays, "day");
  return `${minimumDays} to ${countOf(maximumDays, "day")}`;
}

/** Why product pages could not be written, and what to do. */
export function describePublishFailure(code: string): string {
  return code === "ACCESS_DENIED"
    ? "Pathway isn’t allowed to write to your products yet. Open the app from your list of apps and accept the update, then press “Write again”."
    : "Shopify didn’t accept what Pathway wrote. Press “Write again”; if it stays like this, contact support.";
}
