import { type Cost, costOf } from "../catalogue/cost.ts";
import type { RequestFacts } from "../referrals/customer-view.ts";
import { itemsToOrder } from "../referrals/items-to-order.ts";
import { productsOf, type SoldVariant } from "../referrals/order-facts.ts";
import type { ReferralRequest } from "../referrals/request.ts";
import { ENVIRONMENTS } from "../shops/connection.ts";
import type { Tenant } from "./tenant.ts";

/** By request: what the service charges by its catalogue when the request is sent, retried or ordered again. */
export type RequestPrices = ReadonlyMap<string, Cost | null>;

type Priced = Pick<RequestFacts, "request" | "referrals" | "orderedAgain">;

/**
 * Prices what a person could order with one click. Requests that nobody can order are left out; null stands for a price
 * that the catalogue does not know.
 */
export async function priceRequests(tenant: Tenant, all: Priced[]): Promise<RequestPrices> {
  const prices = new Map<string, Cost | null>();
  for (const environment of ENVIRONMENTS) {
    const own = all.filter(
      (facts) => facts.request.environment === environment && itemsToOrder(facts, undefined),
    );
    if (own.length === 0) continue;
    const catalogue = await tenant.catalogues.find(environment);
    const sold = await variantsOf(tenant, own);
    const variants = [...sold.values()];
    const ids = variants.map(({ variantId }) => variantId);
    const mappings = await tenant.mappings.list(environment, ids, productsOf(variants));
    for (const facts of own) {
      const variant = sold.get(lineOf(facts.request));
      const items = itemsToOrder(facts, variant && mappings.get(variant.variantId));
      if (items) prices.set(facts.request.id, catalogue && costOf(items, catalogue));
    }
  }
  return prices;
}

const lineOf = ({ orderId, lineItemId }: ReferralRequest) => `${orderId} ${lineItemId}`;

async function variantsOf(tenant: Tenant, all: Priced[]): Promise<Map<string, SoldVariant>> {
  const sold = new Map<string, SoldVariant>();
  for (const { request } of all) {
    if (sold.has(lineOf(request))) continue;
    const variant = await tenant.orders.variantOf(request.orderId, request.lineItemId);
    if (variant) sold.set(lineOf(request), variant);
  }
  return sold;
}

/** `priceRequests` of named requests. */
export async function pricesOf(tenant: Tenant, ids: string[]): Promise<RequestPrices> {
  if (ids.length === 0) return new Map();
  const requests = await tenant.requests.some(ids);
  const referrals = await tenant.referrals.forRequests(ids);
  const referralsOf = Map.groupBy(referrals, ({ requestId }) => requestId);
  return priceRequests(
    tenant,
    requests.map((request) => ({ request, referrals: referralsOf.get(request.id) ?? [] })),
  );
}
