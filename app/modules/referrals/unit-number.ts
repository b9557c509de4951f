import type { OrderUnit } from "./request-repository.ts";

/** The number of a test among all tests of its order. */
export interface UnitNumber {
  number: number;
  of: number;
}

type UnitKey = Pick<OrderUnit, "orderId" | "lineItemId" | "unit">;

/**
 * Numbers units, given in the sequence in which lists of an order have them. A unit has one number wherever it is named, on
 * pages, in emails, in names of files and for staff (docs/decisions/0186). All units of an order must be among those given.
 */
export function numberUnits(units: readonly UnitKey[]): (unit: UnitKey) => UnitNumber {
  const orders = Map.groupBy(units, ({ orderId }) => orderId);
  const keys = new Map(
    [...orders].map(([orderId, own]) => [orderId, [...new Set(own.map(keyOf))]] as const),
  );
  return (unit) => {
    const own = keys.get(unit.orderId) ?? [];
    return { number: own.indexOf(keyOf(unit)) + 1, of: own.length };
  };
}

const keyOf = ({ lineItemId, unit }: UnitKey) => `${lineItemId} ${unit}`;
