import type { OrderId } from "../../kernel/ids.ts";
import type { Tenant } from "../tenant.ts";

/** A reading of an order, and what a person asked for with it. */
export interface AskedReading {
  orderId: OrderId;
  isWanted?: boolean | undefined;
  ignoredSince?: string | undefined;
}

/** How long what a person asked for waits for a store whose answer, or a clock whose time, is behind. */
const AGAIN_MS = 10_000;

/** Queues another reading that is asked for in the same words. */
export async function readAgain(
  { jobs, shop }: Tenant,
  { orderId, isWanted, ignoredSince }: AskedReading,
  when: Parameters<Tenant["jobs"]["enqueue"]>[1],
): Promise<void> {
  const wish = {
    ...(isWanted && ({ isWanted: true } as const)),
    ...(ignoredSince !== undefined && { ignoredSince }),
  };
  await jobs.enqueue({ name: "reconcile-order", shop, orderId, ...wish }, when);
}

/**
 * Has a reading that a person asked for done again, where a later one that knew nothing of it came first. The next one begins later
 * still.
 */
export async function keepWish(tenant: Tenant, asked: AskedReading, now: Date): Promise<void> {
  if (!asked.isWanted && asked.ignoredSince === undefined) return;
  await readAgain(tenant, asked, { notBefore: new Date(now.getTime() + AGAIN_MS) });
}
