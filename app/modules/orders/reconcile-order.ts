import { randomUUID } from "node:crypto";
import { crashPoint } from "../../platform/crash-points.ts";
import { together } from "../../platform/together.ts";
import type { Mapping } from "../catalogue/mapping.ts";
import type { LineItemId, OrderId, ShopDomain } from "../kernel/ids.ts";
import type { NewTimelineEntry } from "../kernel/timeline.ts";
import { apply } from "../referrals/apply.ts";
import { productsOf } from "../referrals/order-facts.ts";
import { isHeldForRisk } from "../referrals/order-risk.ts";
import { referenceNumber } from "../referrals/reference-number.ts";
import type { ReferralRequest } from "../referrals/request.ts";
import type { NewRequest } from "../referrals/request-repository.ts";
import { withResults } from "../referrals/with-results.ts";
import type { Environment } from "../shops/connection.ts";
import { findInstalled } from "../shops/find-installed.ts";
import type { Shop } from "../shops/shop.ts";
import type { StoreOrder, StoreOrderLine, StoreOrders } from "./order.ts";
import { askForDetails } from "./orders/ask-for-details.ts";
import { cancelUnits } from "./orders/cancel-units.ts";
import { emailDoubt, followCustomer, withKnownBuyer } from "./orders/follow-buyer.ts";
import { isBackdated } from "./orders/is-backdated.ts";
import { matchLines, variantsIn, withSoldVariants } from "./orders/match-lines.ts";
import { mailsWaiting, sendToNewAddress } from "./orders/new-address.ts";
import { recordAttention } from "./orders/order-attention.ts";
import { planUnits } from "./orders/plan-units.ts";
import { tellNotVisible } from "./orders/tell-not-visible.ts";
import type { Ports } from "./ports.ts";
import type { Tenant } from "./tenant.ts";

export type ReconcileOutcome =
  | { kind: "reconciled"; opened: number; cancelled: number; surplus: number }
  /** A later reading has been applied already. */
  | { kind: "superseded" }
  /** The buyer's data has been destroyed; nothing more is done about the order. */
  | { kind: "redacted" }
  | { kind: "not_paid" }
  | { kind: "not_found" }
  | { kind: "not_installed" };

interface OrderToReconcile {
  shop: ShopDomain;
  orderId: OrderId;
  /** A person named the order: its tests are ordered, however old it is. */
  isWanted?: boolean | undefined;
}

/**
 * Brings the referral requests of one order in line with what the store says now. Run for every message about
 * an order, in whatever order the messages come: the order is read afresh each time, and doing it twice
 * changes nothing.
 */
export async function reconcileOrder(
  {
    tenancy,
    storeOrders,
    clock,
  }: Pick<Ports, "tenancy" | "clock"> & { storeOrders: Pick<StoreOrders, "read"> },
  { shop, orderId, isWanted }: OrderToReconcile,
): Promise<ReconcileOutcome> {
  const { installed, readAt } = await tenancy.inShop(shop, async (tenant) => {
    const [settings, began] = await together(
      () => findInstalled(tenant),
      () => tenant.orders.beginReading(),
    );
    // Nothing of this shop may be read now. Should it come back, what was paid for is still owed.
    if (!settings) await tenant.inbox.parkOrder(orderId);
    return { installed: settings, readAt: began };
  });
  if (!installed) return { kind: "not_installed" };
  crashPoint("order.before-read");
  const order = await storeOrders.read(shop, orderId);
  crashPoint("order.after-read");
  if (!order) {
    await tenancy.inShop(shop, (tenant) =>
      tellNotVisible(tenant, orderId, { readAt, now: clock.now() }),
    );
    return { kind: "not_found" };
  }
  const outcome = await tenancy.inShop(shop, async (tenant): Promise<ReconcileOutcome> => {
    const { customerId } = order;
    // Read before a merge and written after it, the order would stay with a customer who is no more.
    const [survivor, known] = await together(
      async () => customerId && tenant.customers.survivorOf(customerId),
      () => tenant.orders.namesOf([orderId]),
    );
    if (!order.paid && !order.paidInPart && known.size === 0) return { kind: "not_paid" };
    const current = await withKnownBuyer(tenant, { ...order, customerId: survivor });
    const applied = await applyOrder(tenant, installed, current, {
      ...{ readAt, isWanted },
      now: clock.now(),
    });
    crashPoint("order.before-commit");
    return applied;
  });
  crashPoint("order.after-commit");
  return outcome;
}

/**
 * Records an order as it was read, and opens and cancels requests accordingly, in one transaction.
 * `readAt` is when the reading began, by the database's clock (`orders.beginReading`).
 */
export async function applyOrder(
  tenant: Tenant,
  shop: Shop,
  order: StoreOrder,
  { readAt, now, isWanted }: { readAt: Date; now: Date } & Pick<OrderToReconcile, "isWanted">,
): Promise<ReconcileOutcome> {
  // Money was not real, so nothing real may be ordered (product.md, row 3).
  const environment: Environment = order.test ? "staging" : shop.environment;
  const variants = variantsIn(order.lines);
  const [waiting, email, meant] = await together(
    () => mailsWaiting(tenant, order.id),
    () => emailDoubt(tenant, order),
    () => tenant.mappings.forVariants(environment, variants, productsOf(order.lines)),
  );
  let mappings = meant;
  let { lines } = order;
  if (lines.some((line) => !line.variantId)) {
    // Another reading may be writing down what they sold. Mappings first: whoever saves one locks them before orders.
    await tenant.orders.lock(order.id);
    lines = await withSoldVariants(tenant, order);
    mappings = await tenant.mappings.forVariants(environment, variantsIn(lines), productsOf(lines));
  }
  const matches = matchLines(lines, mappings);
  const states = new Map([...matches].map(([lineId, match]) => [lineId, match.state]));
  const isAnyUnmapped = [...states.values()].includes("unmapped");
  const before = new Set(isAnyUnmapped ? await tenant.orders.unmappedLines(order.id) : []);
  const recorded = await tenant.orders.record(order, states, readAt);
  if (recorded === "stale") return { kind: "superseded" };
  crashPoint("order.after-record");
  if (recorded === "redacted") return { kind: "redacted" };
  if (order.shopName && order.shopName !== shop.name) await tenant.shops.rename(order.shopName);
  if (order.shopEmail && order.shopEmail !== shop.contactEmail)
    await tenant.shops.setContactEmail(order.shopEmail);
  if (order.shopAccounts && order.shopAccounts !== shop.customerAccounts)
    await tenant.shops.recordFacts({ accounts: order.shopAccounts });
  if (order.shopTimeZone && order.shopTimeZone !== shop.timeZone)
    await tenant.shops.recordFacts({ timeZone: order.shopTimeZone });

  await sendToNewAddress(tenant, waiting, order.buyer.email);
  // Senders claim requests and report about them meanwhile: what is planned must still be so when it is done.
  const locked = await tenant.requests.forOrderForUpdate(order.id);
  if (locked.some(({ customerId }) => customerId !== order.customerId))
    await followCustomer(tenant, order, now);
  const existing = locked.map((request) => ({ ...request, customerId: order.customerId }));
  const reported = await withResults(tenant, existing);
  // Shopify's assessment may be why there is news of the order: whoever sends reads it again.
  for (const { id: requestId } of existing.filter(isHeldForRisk))
    await tenant.jobs.enqueue({ name: "create-referral", shop: tenant.shop, requestId });
  const openedIds: string[] = [];
  const toCancel: ReferralRequest[] = [];
  let owed = 0;
  let backdated = 0;
  const waitsForPerson = isBackdated(order) && !isWanted && existing.length === 0;
  const unmapped: LineItemId[] = [];
  const totals = { opened: 0, cancelled: 0, surplus: 0 };
  for (const line of order.lines) {
    const mapping = matches.get(line.id)?.mapping ?? null;
    const requests = existing.filter((request) => request.lineItemId === line.id);
    const plan = planUnits(requests, order.cancelledAt ? 0 : line.currentQuantity, reported);
    // An order that was paid and then grew is paid in part: what was refunded counts, what is owed waits.
    if (mapping?.kind === "order") {
      if (waitsForPerson) backdated += plan.open.length;
      else if (order.paid)
        openedIds.push(
          ...(await openUnits(tenant, { order, line, mapping, units: plan.open, now })),
        );
      else owed += plan.open.length;
    }
    if (states.get(line.id) === "unmapped" && plan.open.length > 0) unmapped.push(line.id);
    toCancel.push(...plan.cancel, ...plan.cancelSent, ...plan.settle);
    totals.surplus += plan.cancelSent.length;
    for (const request of plan.wanted) await keep(tenant, request, now);
  }
  totals.opened = openedIds.length;
  totals.cancelled = await cancelUnits(tenant, { orderId: order.id, requests: toCancel, now });
  if (openedIds.length > 0 && environment === "production") await tenant.orders.markReal(order.id);
  await askForDetails(tenant, order, { openedIds, existing, now });
  await recordAttention(
    tenant,
    order,
    { unmapped, owed, backdated, existing, opened: totals.opened, email },
    { before, isFirst: recorded === "first" },
  );
  // Shopify sends several messages for one change; only a reading that meant something is worth a line.
  if (recorded === "first" || totals.opened + totals.cancelled + totals.surplus > 0)
    await tenant.timeline.add({
      kind: "order_read",
      actor: "pathway",
      at: now,
      orderId: order.id,
      detail: { lines: order.lines.length, unmapped: unmapped.length, environment, ...totals },
    });
  return { kind: "reconciled", ...totals };
}

async function openUnits(
  tenant: Tenant,
  work: {
    order: StoreOrder;
    line: StoreOrderLine;
    mapping: Mapping & { kind: "order" };
    units: number[];
    now: Date;
  },
): Promise<string[]> {
  const { order, line, mapping, units, now } = work;
  const requests = units.map((unit): NewRequest => {
    const fact = { orderId: order.id, lineItemId: line.id, unit, generation: 1 };
    return {
      ...fact,
      id: randomUUID(),
      environment: mapping.environment,
      referenceNumber: referenceNumber({ shop: tenant.shop, ...fact }),
      title: line.title,
      items: mapping.items,
      customerId: order.customerId,
      order: { paidAt: order.processedAt, isTest: order.test },
    };
  });
  if (requests.length === 0) return [];
  const [opened, unclaimed] = await together(
    () => tenant.requests.add(requests, now),
    () => tenant.restores.unclaimed(requests.map((request) => request.referenceNumber)),
  );
  // After a restore, the service may hold what is only being asked for again.
  for (const { uuid, environment } of opened.length > 0 ? unclaimed : [])
    await tenant.jobs.enqueue({ name: "refetch-referral", shop: tenant.shop, environment, uuid });
  await tenant.timeline.add(
    ...opened.map((requestId): NewTimelineEntry => {
      const detail = { sku: line.sku };
      return {
        kind: "request_opened",
        actor: "pathway",
        at: now,
        orderId: order.id,
        requestId,
        detail,
      };
    }),
  );
  return opened;
}

/** Ends the cancellation of a unit that was bought again before anything was deleted for it. */
async function keep(tenant: Tenant, { id }: ReferralRequest, at: Date): Promise<void> {
  await apply(tenant, id, { kind: "wanted_again" }, { actor: "shopify", at });
}
