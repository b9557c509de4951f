/** A new order reaches the app within seconds; an hour covers Shopify's first retries. */
const EXPECTED_WITHIN_MS = 60 * 60 * 1000;

/**
 * Whether the tests of an order may still be on their way. After that, an order without tests is one of other goods
 * and the block stays away.
 */
export function mayStillArrive(processedAt: string | undefined, now: Date): boolean {
  const processedMs = processedAt ? Date.parse(processedAt) : Number.NaN;
  return Number.isNaN(processedMs) || now.getTime() - processedMs < EXPECTED_WITHIN_MS;
}
