import type { StoredReferral } from "../referral-repository.ts";
import type { OrderedItems } from "../referral-service.ts";
import type { Half, ReferralRequest } from "../request.ts";

/** The referrals that an order makes (interface §4.2 rule 7). */
export function halvesOf({ bundleId, tests, medicareTests }: OrderedItems): Half[] {
  const hasCommercial = bundleId !== null || tests.length > 0;
  return [
    ...(hasCommercial ? (["commercial"] as const) : []),
    ...(medicareTests.length > 0 ? (["medicare"] as const) : []),
  ];
}

/** An order of these halves of it only. */
export function itemsOfHalves(items: OrderedItems, halves: readonly Half[]): OrderedItems {
  const { bundleId, tests, medicareTests, practitioner } = items;
  const isCommercial = halves.includes("commercial");
  const isMedicare = halves.includes("medicare");
  return {
    bundleId: isCommercial ? bundleId : null,
    tests: isCommercial ? tests : [],
    medicareTests: isMedicare ? medicareTests : [],
    practitioner: isMedicare ? practitioner : null,
  };
}

/** What one create call for this request orders: the whole, or the half that is missing (ledger rule 6). */
export function itemsToSend({ items, half }: Pick<ReferralRequest, "items" | "half">) {
  return half === null ? items : itemsOfHalves(items, [half]);
}

export const halfOf = ({ medicare }: { medicare: boolean }): Half =>
  medicare ? "medicare" : "commercial";

/** Whether another referral of the same half was made before it: it stands in that one's place, or is one too many. */
export function isFurther(uuid: string, stored: StoredReferral[]): boolean {
  const own = stored.find((one) => one.uuid === uuid);
  return stored.some(
    (one) =>
      own !== undefined &&
      one.medicare === own.medicare &&
      one.serviceCreatedAt < own.serviceCreatedAt,
  );
}
