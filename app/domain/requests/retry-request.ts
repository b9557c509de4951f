import type { ShopDomain } from "../ids.ts";
import type { Ports } from "../ports.ts";
import type { Tenant } from "../tenant.ts";
import type { Actor } from "../timeline/timeline.ts";
import type { ReferralRequest } from "./request.ts";

export type RetryOutcome = { kind: "queued" } | { kind: "not_retryable" };

/**
 * Sends a request again because a person asks for it: one that was refused, or that could not be sent. In
 * both cases the ledger knows that nothing exists at the service, so no generation is needed, and what the
 * product's mapping orders now is what is ordered: it may have been the mapping that was refused.
 */
export async function retryRequest(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, requestId, actor }: { shop: ShopDomain; requestId: string; actor: Actor },
): Promise<RetryOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    const moved = await tenant.requests.move(requestId, ["rejected", "ready"], "ready", {
      attention: null,
    });
    if (!moved) return { kind: "not_retryable" };
    await takeCurrentItems(tenant, moved);
    await tenant.timeline.add({
      kind: "retry_asked",
      actor,
      at: clock.now(),
      orderId: moved.orderId,
      requestId,
    });
    await tenant.jobs.enqueue({ name: "create-referral", shop, requestId });
    return { kind: "queued" };
  });
}

async function takeCurrentItems(tenant: Tenant, request: ReferralRequest): Promise<void> {
  const { id, environment, orderId, lineItemId } = request;
  const variantId = await tenant.orders.variantOf(orderId, lineItemId);
  if (!variantId) return;
  const mapping = (await tenant.mappings.forVariants(environment, [variantId])).get(variantId);
  if (mapping?.kind === "order") await tenant.requests.setItems(id, mapping.items);
}
