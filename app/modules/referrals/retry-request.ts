import type { ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import type { Ports } from "./ports.ts";
import { isLeftToPerson, type ReferralRequest } from "./request.ts";
import type { Tenant } from "./tenant.ts";

export type RetryOutcome = { kind: "queued" } | { kind: "not_retryable" };

/**
 * Whether a person may have a request sent again: it was refused, it could not be sent, or its answer got lost,
 * all scans of the service's list found nothing, and strict mode leaves the rest to a person (ledger rule 5). Never for
 * a unit that was given up.
 */
export function mayRetry(
  request: Pick<ReferralRequest, "state" | "attention" | "unwanted">,
): boolean {
  const { state, attention, unwanted } = request;
  if (unwanted) return false;
  switch (state) {
    case "rejected":
      return true;
    case "ready":
      return attention?.startsWith("not_sent:") === true;
    case "ambiguous":
      return isLeftToPerson(request);
    case "created":
      return attention?.startsWith("half_rejected:") === true;
    default:
      return false;
  }
}

/**
 * Sends a request again because a person asks for it. Nothing exists at the service as far as anybody can
 * know, so no generation is needed, and what the product's mapping orders now is what is ordered: it may have
 * been the mapping that was refused.
 */
export async function retryRequest(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, requestId, actor }: { shop: ShopDomain; requestId: string; actor: Actor },
): Promise<RetryOutcome> {
  const by = { actor, at: clock.now() };
  return tenancy.inShop(shop, (tenant) => retryIn(tenant, { requestId, ...by }));
}

/** The same inside a transaction that does more. */
export async function retryIn(
  tenant: Tenant,
  { requestId, actor, at }: { requestId: string; actor: Actor; at: Date },
): Promise<RetryOutcome> {
  // Given up at the same moment, it is either not sent again or taken back afterwards.
  const request = await tenant.requests.findForUpdate(requestId);
  if (!request || !mayRetry(request)) return { kind: "not_retryable" };
  const { state, attempt } = request;
  const change = { attention: null };
  const moved = await tenant.requests.move(requestId, [state], "ready", change, attempt);
  if (!moved) return { kind: "not_retryable" };
  await takeCurrentItems(tenant, moved);
  const { orderId } = moved;
  await tenant.timeline.add({ kind: "retry_asked", actor, at, orderId, requestId });
  await tenant.jobs.enqueue({ name: "create-referral", shop: tenant.shop, requestId });
  return { kind: "queued" };
}

export async function takeCurrentItems(tenant: Tenant, request: ReferralRequest): Promise<void> {
  const { id, environment, orderId, lineItemId, half, items } = request;
  // What exists of it was ordered as it was; only who orders a Medicare half that is missing may be another.
  if (half === "commercial") return;
  const variantId = await tenant.orders.variantOf(orderId, lineItemId);
  if (!variantId) return;
  const mapping = (await tenant.mappings.forVariants(environment, [variantId])).get(variantId);
  if (mapping?.kind !== "order") return;
  const { practitioner } = mapping.items;
  if (half === null) await tenant.requests.setItems(id, mapping.items);
  else if (practitioner) await tenant.requests.setItems(id, { ...items, practitioner });
}
