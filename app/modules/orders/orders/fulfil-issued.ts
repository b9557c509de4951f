import type { LineItemId, OrderId, ShopDomain } from "../../kernel/ids.ts";
import type { Reached } from "../../referrals/milestone.ts";
import { isCurrent, type StoredReferral } from "../../referrals/referral-repository.ts";
import type { ReferralRequest } from "../../referrals/request.ts";
import { isFormMade } from "../../referrals/status.ts";
import type { OpenLine } from "../order-status-publisher.ts";
import type { Ports } from "../ports.ts";
import type { Tenant } from "../tenant.ts";
import { underPresentName } from "../under-present-name.ts";

/** As long as a job may take, and longer than Shopify works on any call. */
const CLAIM_MS = 300_000;

/**
 * Marks the units of an order as fulfilled whose forms are there, each of them once. Shopify refuses only more units than are
 * open, and units that staff cancelled without a refund stay open there. So one job at a time has an order's fulfilment. A
 * claim whose call nobody answered for, or whose process died, ends by itself: only then does Shopify certainly show
 * what came of the call.
 */
export async function fulfilIssued(
  ports: Pick<Ports, "tenancy" | "orderStatusPublisher" | "storeAccess" | "clock">,
  told: { shop: ShopDomain } & Reached,
): Promise<"told" | "later"> {
  const { tenancy, orderStatusPublisher, clock } = ports;
  const { shop, orderId } = told;
  const now = clock.now();
  const until = new Date(now.getTime() + CLAIM_MS);
  const again = { name: "publish-order-status", ...told, way: "fulfilment" } as const;
  const issued = await tenancy.inShop(shop, async (tenant) => {
    const claimedUntil = await tenant.orders.claimFulfilment(orderId, { now, until });
    if (!claimedUntil) return readIssued(tenant, orderId);
    await tenant.jobs.enqueue(again, { startAfter: claimedUntil });
    return null;
  });
  if (!issued) return "later";
  const release = () =>
    tenancy.inShop(shop, (tenant) => tenant.orders.endFulfilment(orderId, until));
  try {
    // By another name everything is read anew: what was fulfilled before the refusal shows.
    const outcome = await underPresentName(ports, shop, async (name) => {
      if (issued.size === 0) return "done";
      const lines = await orderStatusPublisher.openLines(name, orderId, [...issued.keys()]);
      const units = unitsToFulfil(lines, issued);
      return units.length > 0 ? orderStatusPublisher.fulfil(name, units) : "done";
    });
    if (outcome === "unclear") {
      await tenancy.inShop(shop, (tenant) => tenant.jobs.enqueue(again, { startAfter: until }));
      return "later";
    }
  } catch (error) {
    await release();
    throw error;
  }
  await release();
  return "told";
}

/** The units of each line that are to be fulfilled, from wherever they are open. */
function unitsToFulfil(lines: OpenLine[], issued: Map<LineItemId, number>) {
  const left = new Map(
    lines.map(({ lineItemId, fulfilled }) => [
      lineItemId,
      (issued.get(lineItemId) ?? 0) - fulfilled,
    ]),
  );
  return lines.flatMap((line) => {
    const wanted = left.get(line.lineItemId) ?? 0;
    const quantity = Math.min(line.remaining, wanted);
    if (quantity <= 0) return [];
    left.set(line.lineItemId, wanted - quantity);
    return [{ line, quantity }];
  });
}

async function readIssued(tenant: Tenant, orderId: OrderId): Promise<Map<LineItemId, number>> {
  const requests = await tenant.requests.forOrder(orderId);
  const referrals = await tenant.referrals.forRequests(requests.map((request) => request.id));
  return issuedByLine(requests, referrals);
}

/** A line is fulfilled as a whole, once every unit that is still wanted has its form: half a line confuses a shopper. */
function issuedByLine(
  requests: ReferralRequest[],
  referrals: StoredReferral[],
): Map<LineItemId, number> {
  const issued = new Map<LineItemId, number>();
  const wanted = requests.filter(isWanted);
  for (const [lineItemId, units] of Map.groupBy(wanted, (request) => request.lineItemId)) {
    const numbers = new Set(units.map((request) => request.unit));
    const done = [...numbers].filter((unit) =>
      units.some((request) => request.unit === unit && hasForm(request, referrals)),
    );
    if (done.length === numbers.size) issued.set(lineItemId, numbers.size);
  }
  return issued;
}

/** Whether the store still counts the unit among those that were bought, and nobody ends it. */
const isWanted = ({ state, cancellation, kept }: ReferralRequest): boolean =>
  state !== "cancelled" && cancellation === null && !kept;

function hasForm(request: ReferralRequest, referrals: StoredReferral[]): boolean {
  const own = referrals.filter((one) => one.requestId === request.id && isCurrent(one));
  return own.length > 0 && own.every((one) => isFormMade(one) && !one.otherPerson);
}
