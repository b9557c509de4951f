import type { LineItemId, ShopDomain } from "../kernel/ids.ts";
import type { Milestone, Reached } from "../referrals/milestone.ts";
import { isCurrent, type StoredReferral } from "../referrals/referral-repository.ts";
import type { ReferralRequest } from "../referrals/request.ts";
import type { Shop } from "../shops/shop.ts";
import type { StoreFactsReader } from "../shops/store-facts.ts";
import { OPTION_SCOPES } from "./order-status-publisher.ts";
import type { Ports } from "./ports.ts";

export type TellOutcome = "told" | "not_wanted";

/** Tags that the merchant may filter orders by. */
const ORDER_TAGS: Record<Milestone, string> = {
  referral_issued: "pathway-form-issued",
  results_ready: "pathway-results-in",
  attention_needed: "pathway-needs-attention",
};

/**
 * Writes a milestone into the store, as far as the merchant has turned that on and allowed it. Done twice it changes
 * nothing: a tag is there once, and only units that are still open are fulfilled. A workflow may be started again
 * when the process dies between Shopify's yes and the job's end.
 */
export async function publishOrderStatus(
  ports: Pick<Ports, "tenancy" | "orderStatusPublisher" | "storeFacts">,
  told: { shop: ShopDomain } & Reached,
): Promise<TellOutcome> {
  const { tenancy, orderStatusPublisher, storeFacts } = ports;
  const { shop, orderId, milestone } = told;
  const facts = await tenancy.inShop(shop, async (tenant) => {
    const settings = await tenant.shops.find();
    const requests = await tenant.requests.forOrder(orderId);
    const referrals = await tenant.referrals.forRequests(requests.map((request) => request.id));
    return { settings, issued: issuedByLine(requests, referrals) };
  });
  if (!facts.settings?.installed) return "not_wanted";
  const wants = await wishesOf(storeFacts, facts.settings);
  if (wants.tag) await orderStatusPublisher.addTag(shop, orderId, ORDER_TAGS[milestone]);
  if (wants.fulfil && milestone === "referral_issued") {
    const units = (await orderStatusPublisher.openLines(shop, orderId)).flatMap((line) => {
      const quantity = Math.min(line.remaining, facts.issued.get(line.lineItemId) ?? 0);
      return quantity > 0 ? [{ line, quantity }] : [];
    });
    if (units.length > 0) await orderStatusPublisher.fulfil(shop, units);
  }
  if (wants.flow) await orderStatusPublisher.startFlow(shop, told);
  return wants.tag || wants.fulfil || wants.flow ? "told" : "not_wanted";
}

/** The options that are turned on and allowed. One that Shopify does not allow any more explains itself in the settings. */
async function wishesOf(
  storeFacts: Pick<StoreFactsReader, "covers">,
  { scope, tagOrders, markFulfilled, startFlows }: Shop,
) {
  return {
    tag: tagOrders && (await storeFacts.covers(scope, OPTION_SCOPES.tagOrders)),
    fulfil: markFulfilled && (await storeFacts.covers(scope, OPTION_SCOPES.markFulfilled)),
    flow: startFlows,
  };
}

/** A line is fulfilled as a whole, once every unit that is still wanted has its form: half a line confuses a shopper. */
function issuedByLine(
  requests: ReferralRequest[],
  referrals: StoredReferral[],
): Map<LineItemId, number> {
  const issued = new Map<LineItemId, number>();
  const wanted = requests.filter((request) => request.state !== "cancelled");
  for (const [lineItemId, units] of Map.groupBy(wanted, (request) => request.lineItemId)) {
    const numbers = new Set(units.map((request) => request.unit));
    const done = [...numbers].filter((unit) =>
      units.some((request) => request.unit === unit && hasForm(request, referrals)),
    );
    if (done.length === numbers.size) issued.set(lineItemId, numbers.size);
  }
  return issued;
}

const WITH_FORM = new Set(["ISSUED", "PARTIAL_RESULTS", "COMPLETE"]);

function hasForm(request: ReferralRequest, referrals: StoredReferral[]): boolean {
  const own = referrals.filter((one) => one.requestId === request.id && isCurrent(one));
  return own.length > 0 && own.every((referral) => WITH_FORM.has(referral.status));
}
