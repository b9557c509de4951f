import type { StoredReferral } from "../referral-repository.ts";
import type { OrderedItems } from "../referral-service.ts";
import type { ReferralPart, ReferralRequest } from "../request.ts";

/** The referrals that an order makes (interface §4.2 rule 7). */
export function partsOfItems({ bundleId, tests, medicareTests }: OrderedItems): ReferralPart[] {
  const hasCommercial = bundleId !== null || tests.length > 0;
  return [
    ...(hasCommercial ? (["commercial"] as const) : []),
    ...(medicareTests.length > 0 ? (["medicare"] as const) : []),
  ];
}

/** The parts that any of these requests has. */
export const partsOfAll = (requests: readonly Pick<ReferralRequest, "items">[]): ReferralPart[] => [
  ...new Set(requests.flatMap(({ items }) => partsOfItems(items))),
];

/** An order of these parts of it only. */
export function itemsOfParts(items: OrderedItems, parts: readonly ReferralPart[]): OrderedItems {
  const { bundleId, tests, medicareTests, practitioner } = items;
  const isCommercial = parts.includes("commercial");
  const isMedicare = parts.includes("medicare");
  return {
    bundleId: isCommercial ? bundleId : null,
    tests: isCommercial ? tests : [],
    medicareTests: isMedicare ? medicareTests : [],
    practitioner: isMedicare ? practitioner : null,
  };
}

/** Returns the items of one create call for this request: the whole, or the missing part (ledger rule 6). */
export function itemsToSend({
  items,
  missingPart,
}: Pick<ReferralRequest, "items" | "missingPart">) {
  return missingPart === null ? items : itemsOfParts(items, [missingPart]);
}

export const partOfReferral = ({ medicare }: { medicare: boolean }): ReferralPart =>
  medicare ? "medicare" : "commercial";

/** Whether another referral of the same part was made before it: it stands in that one's place, or is one too many. */
export function isFurther(uuid: string, stored: StoredReferral[]): boolean {
  const own = stored.find((one) => one.uuid === uuid);
  return stored.some(
    (one) =>
      own !== undefined &&
      one.medicare === own.medicare &&
      one.serviceCreatedAt < own.serviceCreatedAt,
  );
}
