import type { ReferralRequest } from "../referrals/request.ts";

/** So many tests of a line are on an order's page until somebody asks for all. */
const UNITS_SHOWN = 50;

type Unit = Pick<ReferralRequest, "id" | "state" | "stage" | "lineItemId">;

/**
 * Chooses the tests of an order that its page shows, by their ids: of each line those that need somebody, the first that details
 * are asked for of, and the first others. A page of 1,000 would be 6 MB.
 */
export function shownUnits(
  requests: readonly Unit[],
  { isWhole }: { isWhole: boolean },
): Set<string> {
  if (isWhole) return new Set(requests.map(({ id }) => id));
  const asked = requests.find(({ state }) => state === "awaiting_details");
  const rank = (unit: Unit) => (unit === asked ? 0 : unit.stage === "attention" ? 1 : 2);
  const lines = Map.groupBy(requests, ({ lineItemId }) => lineItemId);
  return new Set(
    [...lines.values()].flatMap((own) =>
      own
        .toSorted((one, other) => rank(one) - rank(other))
        .slice(0, UNITS_SHOWN)
        .map(({ id }) => id),
    ),
  );
}
