import type { ShopDomain } from "../kernel/ids.ts";
import type { Ports } from "./ports.ts";
import type { OrderPlace } from "./privacy.ts";

const DAY_MS = 24 * 3_600_000;

/**
 * Deletes the lines of the timeline that are older than seven years, of orders that were redacted more than seven years ago. Each
 * transaction deletes at most a thousand. Returns how many were deleted.
 */
export async function endTimeline(
  { timelineEnder, clock }: Pick<Ports, "timelineEnder" | "clock">,
  shop: ShopDomain,
): Promise<number> {
  const at = clock.now();
  let deleted = 0;
  let behind: OrderPlace | null = null;
  for (let more = true; more; ) {
    const step = await timelineEnder.end(shop, { at, behind });
    deleted += step.ended;
    ({ behind, more } = step);
  }
  return deleted;
}

/** Whether this is the first visit of the day: orders that ended long ago are looked at each time, and once a day is enough. */
export const isFirstOfDay = (now: Date, intervalMs: number): boolean =>
  now.getTime() % DAY_MS < intervalMs;
