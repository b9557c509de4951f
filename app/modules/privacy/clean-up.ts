import type { ShopDomain } from "../kernel/ids.ts";
import type { Ports } from "./ports.ts";

/** A message that was dealt with is told from a redelivery for so long; a store redelivers for two days. */
const MESSAGES_KEPT_MS = 90 * 86_400_000;
/** A finished batch can be looked up for so long. */
const BATCHES_KEPT_MS = 90 * 86_400_000;
/** Turns for each visit: what is left waits for the next one. */
const MAX_TURNS = 100;

/**
 * Deletes what has ended past its horizon: messages, links, shares, sessions, tickets, codes, batches. Each transaction deletes at
 * most a thousand rows of a table. Returns how many rows were deleted.
 */
export async function cleanUp(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  shop: ShopDomain,
): Promise<number> {
  const now = clock.now();
  const ago = (ms: number) => new Date(now.getTime() - ms);
  let deleted = 0;
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const step = await tenancy.inShop(
      shop,
      async (tenant) =>
        (await tenant.cleanUp.ended(now)) +
        (await tenant.cleanUp.messages(ago(MESSAGES_KEPT_MS))) +
        (await tenant.cleanUp.batches(ago(BATCHES_KEPT_MS))),
    );
    if (step === 0) break;
    deleted += step;
  }
  return deleted;
}
