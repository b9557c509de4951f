import type { OrderId, ShopDomain } from "../ids.ts";
import { resendDetails } from "../notifications/resend-details.ts";
import { resyncOrder } from "../orders/resync-order.ts";
import type { Ports } from "../ports.ts";
import { holdRequest } from "../requests/hold-request.ts";
import { markHandled } from "../requests/mark-handled.ts";
import { releaseRequest } from "../requests/release-request.ts";
import { mayRetry, retryRequest } from "../requests/retry-request.ts";
import type { Actor } from "../timeline/timeline.ts";
import type { BulkAction, BulkOutcome } from "./bulk-run.ts";

type Target = { shop: ShopDomain; orderId: OrderId; actor: Actor };
type Needed = Pick<Ports, "tenancy" | "clock">;

/**
 * Does one action to one order, by the use cases that its own page calls. As one of many, what may exist at the
 * service is not sent again: whoever wants that looks there first, order by order (ledger rule 5).
 */
export async function doToOrder(
  ports: Needed,
  {
    action,
    isOneOfMany = false,
    ...target
  }: Target & { action: BulkAction; isOneOfMany?: boolean },
): Promise<BulkOutcome> {
  switch (action) {
    case "resync":
      return told((await resyncOrder(ports, target)).kind === "queued");
    case "resend":
      return told((await resendDetails(ports, target)).kind === "queued");
    case "handled":
      return told((await markHandled(ports, { ...target, reason: null })).kind === "marked");
    case "retry":
      return toRequests(ports, target, async (request) => {
        if (!mayRetry(request) || (isOneOfMany && request.state === "ambiguous")) return false;
        const outcome = await retryRequest(ports, { ...target, requestId: request.id });
        return outcome.kind === "queued";
      });
    case "release":
      return toRequests(ports, target, async ({ id: requestId }) => {
        const outcome = await releaseRequest(ports, { ...target, requestId });
        return outcome.kind === "queued";
      });
    case "hold":
      return toRequests(ports, target, async ({ id: requestId }) => {
        const outcome = await holdRequest(ports, { ...target, requestId });
        return outcome.kind === "held";
      });
  }
}

const told = (isDone: boolean): BulkOutcome => (isDone ? "done" : "nothing_to_do");

async function toRequests(
  { tenancy }: Needed,
  { shop, orderId }: Target,
  act: (request: Parameters<typeof mayRetry>[0] & { id: string }) => Promise<boolean>,
): Promise<BulkOutcome> {
  const requests = await tenancy.inShop(shop, (tenant) => tenant.requests.forOrder(orderId));
  let done = 0;
  for (const request of requests) if (await act(request)) done++;
  return told(done > 0);
}
