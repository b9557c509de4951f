/** The rest of a price, in money first: a share of a price says nothing about a loss. */
export type Margin =
  | { kind: "profit"; cents: number; percent: number }
  | { kind: "even" }
  | { kind: "loss"; cents: number };

/** Both in cents. The percentage is of the price, and missing when nothing is asked. */
export function marginOf(priceCents: number, costCents: number): Margin {
  const cents = priceCents - costCents;
  if (cents === 0) return { kind: "even" };
  if (cents < 0) return { kind: "loss", cents: -cents };
  return { kind: "profit", cents, percent: Math.round((100 * cents) / priceCents) };
}
