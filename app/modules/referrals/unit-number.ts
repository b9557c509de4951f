import type { OrderUnit } from "./request-repository.ts";

/** The number of a test among several. */
export interface UnitNumber {
  number: number;
  of: number;
}

/** The key of a unit. */
export type UnitKey = Pick<OrderUnit, "orderId" | "lineItemId" | "unit">;

/**
 * Numbers units, given in the sequence in which lists of an order have them. A unit has one number wherever it is named, on
 * pages, in emails, in names of files and for staff (docs/decisions/0186). All units of an order must be among those given.
 */
export const numberUnits = (units: readonly UnitKey[]) => numberAmong(units, (one) => one.orderId);

/** The same among the units of an order that have one title: what the customer interface calls `unit` (docs/sandbox.md, section 5). */
export const numberAlike = (units: readonly OrderUnit[]) =>
  numberAmong(units, ({ orderId, title }) => `${orderId} ${title}`);

function numberAmong<Unit extends UnitKey>(
  units: readonly Unit[],
  groupOf: (unit: Unit) => string,
): (unit: UnitKey) => UnitNumber {
  const numbers = new Map<string, UnitNumber>();
  for (const own of Map.groupBy(units, groupOf).values()) {
    const keys = [...new Set(own.map(keyOf))];
    for (const [index, key] of keys.entries())
      numbers.set(key, { number: index + 1, of: keys.length });
  }
  return (unit) => numbers.get(keyOf(unit)) ?? { number: 0, of: 0 };
}

const keyOf = ({ orderId, lineItemId, unit }: UnitKey) => `${orderId} ${lineItemId} ${unit}`;
