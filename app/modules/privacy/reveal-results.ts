import { randomUUID } from "node:crypto";
import type { OrderId, ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import type { Ports } from "./ports.ts";
import type { RevealReason } from "./reveal.ts";

const SHOWN_FOR_MS = 15 * 60_000;

export type RevealOutcome = { kind: "revealed" } | { kind: "nothing_to_show" };

/**
 * Lets one member of staff see the results of one request for a quarter of an hour. Who, when and why is
 * written down first, where neither staff nor this program can change it, and stands in the order's timeline.
 */
export async function revealResults(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  wish: {
    shop: ShopDomain;
    orderId: OrderId;
    requestId: string;
    actor: Actor;
    reason: RevealReason;
    caseNumber: string | null;
  },
): Promise<RevealOutcome> {
  const { shop, orderId, requestId, actor, reason, caseNumber } = wish;
  return tenancy.inShop(shop, async (tenant) => {
    const request = await tenant.requests.find(requestId);
    const results = await tenant.results.forRequests([requestId]);
    if (request?.orderId !== orderId || results.length === 0) return { kind: "nothing_to_show" };
    const revealedAt = clock.now();
    const until = new Date(revealedAt.getTime() + SHOWN_FOR_MS);
    const id = randomUUID();
    await tenant.reveals.add({
      id,
      requestId,
      staff: actor,
      reason,
      caseNumber,
      revealedAt,
      until,
    });
    await tenant.timeline.add({
      kind: "results_revealed",
      actor,
      at: revealedAt,
      orderId,
      requestId,
      detail: { why: reason, caseNumber },
    });
    return { kind: "revealed" };
  });
}
