/** The shop's one delivery rate. */
const standard = { title: "Standard", priceCents: 995 };

export interface ShippingRate {
  title: string;
  priceCents: number;
}

/**
 * Returns the price of these lines' delivery; null when nothing has to be shipped, and nobody is asked for an address
 * then.
 */
export const shippingRate = (
  lines: readonly { requiresShipping: boolean }[],
): ShippingRate | null => (lines.some((line) => line.requiresShipping) ? standard : null);
