import type { Actor } from "../kernel/timeline.ts";
import { apply } from "./apply.ts";
import type { RowFacts } from "./ledger/facts.ts";
import { transition } from "./ledger/transitions.ts";
import { productsOf } from "./order-facts.ts";
import type { Ports } from "./ports.ts";
import type { OrderedItems } from "./referral-service.ts";
import type { ReferralRequest } from "./request.ts";
import { type AskedOnPage, standsElsewhere } from "./request-version.ts";
import type { Tenant } from "./tenant.ts";

export type RetryOutcome =
  | { kind: "queued" }
  /** Nothing is sent: the date of birth that was given last is under the minimum age, and it waits for other details. */
  | { kind: "under_age" }
  | { kind: "not_retryable" }
  /** Something else happened since the page was opened: it may have been sent, and its answer got lost. */
  | { kind: "changed_meanwhile" };

/**
 * Whether a person may have a request sent again. It was refused or could not be sent; or its answer got lost, all scans of
 * the service's list found nothing, and strict mode leaves the rest to a person (ledger rule 5). Never for a cancelled
 * unit.
 */
export const mayRetry = (request: RowFacts): boolean =>
  typeof transition({ ...request, referrals: [], results: [] }, { kind: "retried" }) !== "string";

/**
 * Sends a request again because a person asks for it. As far as anybody can know nothing exists at the service, so no
 * generation is needed. The product's present mapping is ordered: it may have been the mapping that was refused.
 */
export async function retryRequest(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, requestId, actor, seen = null }: AskedOnPage,
): Promise<RetryOutcome> {
  const by = { actor, at: clock.now() };
  return tenancy.inShop(shop, async (tenant) => {
    if (await standsElsewhere(tenant, requestId, seen)) return { kind: "changed_meanwhile" };
    return retryIn(tenant, { requestId, ...by });
  });
}

/** The same inside a transaction that does more. */
export async function retryIn(
  tenant: Tenant,
  { requestId, actor, at }: { requestId: string; actor: Actor; at: Date },
): Promise<RetryOutcome> {
  // Given up at the same moment, it is either not sent again or taken back afterwards.
  const applied = await apply(tenant, requestId, { kind: "retried" }, { actor, at });
  if (!applied) return { kind: "not_retryable" };
  if (applied.step.to !== "ready") return { kind: "under_age" };
  await takeCurrentItems(tenant, applied.request);
  return { kind: "queued" };
}

/** Gives a request that is sent again what its product is mapped to now: the mapping may have been why it was refused. */
async function takeCurrentItems(tenant: Tenant, request: ReferralRequest): Promise<void> {
  const { id, missingPart, items } = request;
  // The existing part was ordered as it was. Only the practitioner of a missing Medicare part may be another.
  if (missingPart === "commercial") return;
  const present = await presentItems(tenant, request);
  if (!present) return;
  const { practitioner } = present;
  if (missingPart === null) await tenant.requests.setItems(id, present);
  else if (practitioner) await tenant.requests.setItems(id, { ...items, practitioner });
}

/** The items that a request's product is mapped to now; null where it orders nothing. The mapping stays so until the transaction ends. */
export async function presentItems(
  tenant: Tenant,
  { environment, orderId, lineItemId }: ReferralRequest,
): Promise<OrderedItems | null> {
  const sold = await tenant.orders.variantOf(orderId, lineItemId);
  if (!sold) return null;
  const { variantId } = sold;
  const found = await tenant.mappings.forVariants(environment, [variantId], productsOf([sold]));
  const mapping = found.get(variantId);
  return mapping?.kind === "order" ? mapping.items : null;
}
