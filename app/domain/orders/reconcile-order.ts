import { randomUUID } from "node:crypto";
import { crashPoint } from "../../lib/crash-points.ts";
import type { Environment } from "../connections/connection.ts";
import type { OrderId, ShopDomain, VariantId } from "../ids.ts";
import type { Mapping } from "../mappings/mapping.ts";
import type { Ports } from "../ports.ts";
import { referenceNumber } from "../requests/reference-number.ts";
import type { ReferralRequest } from "../requests/request.ts";
import { UNSENT_STATES } from "../requests/request.ts";
import type { NewRequest } from "../requests/request-repository.ts";
import type { Shop } from "../shops/shop.ts";
import type { Tenant } from "../tenant.ts";
import { matchLines } from "./match-lines.ts";
import type { StoreOrder, StoreOrderLine, StoreOrders } from "./order.ts";
import { planUnits } from "./plan-units.ts";

export type ReconcileOutcome =
  | { kind: "reconciled"; opened: number; cancelled: number; surplus: number }
  /** A later reading has been applied already. */
  | { kind: "superseded" }
  | { kind: "not_paid" }
  | { kind: "not_found" }
  | { kind: "not_installed" };

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
  { shop, orderId }: { shop: ShopDomain; orderId: OrderId },
): Promise<ReconcileOutcome> {
  const { installed, readAt } = await tenancy.inShop(shop, async (tenant) => {
    let settings = await tenant.shops.find();
    if (!settings?.installed) {
      settings = await tenant.shops.findBeforeInstall();
      // Nothing of this shop may be read now. Should it come back, what was paid for is still owed.
      if (!settings?.installed) await tenant.inbox.parkOrder(orderId);
    }
    return { installed: settings, readAt: await tenant.orders.beginReading() };
  });
  if (!installed?.installed) return { kind: "not_installed" };
  crashPoint("order.before-read");
  const order = await storeOrders.read(shop, orderId);
  crashPoint("order.after-read");
  if (!order) return { kind: "not_found" };
  const outcome = await tenancy.inShop(shop, async (tenant): Promise<ReconcileOutcome> => {
    const isKnown = (await tenant.orders.namesOf([orderId])).size > 0;
    if (!order.paid && !isKnown) return { kind: "not_paid" };
    const applied = await applyOrder(tenant, installed, order, { readAt, now: clock.now() });
    crashPoint("order.before-commit");
    return applied;
  });
  crashPoint("order.after-commit");
  return outcome;
}

/**
 * Records an order as it was read, and opens and takes back requests accordingly, in one transaction.
 * `readAt` is when the reading began, by the database's clock (`orders.beginReading`).
 */
export async function applyOrder(
  tenant: Tenant,
  shop: Shop,
  order: StoreOrder,
  { readAt, now }: { readAt: Date; now: Date },
): Promise<ReconcileOutcome> {
  // Money was not real, so nothing real may be ordered (product.md, row 3).
  const environment: Environment = order.test ? "staging" : shop.environment;
  const variantIds = order.lines.flatMap((line): VariantId[] =>
    line.variantId ? [line.variantId] : [],
  );
  const mappings = await tenant.mappings.forVariants(environment, variantIds);
  const matches = matchLines(order.lines, mappings);
  const states = new Map([...matches].map(([lineId, match]) => [lineId, match.state]));
  const recorded = await tenant.orders.record(order, states, readAt);
  if (recorded === "stale") return { kind: "superseded" };
  crashPoint("order.after-record");

  // Senders claim requests and report about them meanwhile: what is planned must still be so when it is done.
  const existing = await tenant.requests.forOrderForUpdate(order.id);
  const openedIds: string[] = [];
  const totals = { opened: 0, cancelled: 0, surplus: 0 };
  for (const line of order.lines) {
    const mapping = matches.get(line.id)?.mapping ?? null;
    const requests = existing.filter((request) => request.lineItemId === line.id);
    const plan = planUnits(requests, order.cancelledAt ? 0 : line.currentQuantity);
    // An order that was paid and then grew is paid in part: what was taken back counts, what is owed waits.
    if (mapping?.kind === "order" && order.paid)
      openedIds.push(...(await openUnits(tenant, { order, line, mapping, units: plan.open, now })));
    const taken = await takeBack(tenant, [...plan.cancel, ...plan.surplus], now);
    totals.cancelled += taken.cancelled;
    totals.surplus += taken.surplus;
    for (const request of plan.wanted) await tenant.requests.setUnwanted(request.id, false);
  }
  totals.opened = openedIds.length;
  await askForDetails(tenant, order, openedIds, now);
  const unmapped = [...states.values()].filter((state) => state === "unmapped").length;
  await tenant.orders.setAttention(
    order.id,
    attentionFor(order, unmapped, existing, totals.opened),
  );
  // Shopify sends several messages for one change; only a reading that meant something is worth a line.
  if (recorded === "first" || totals.opened + totals.cancelled + totals.surplus > 0)
    await tenant.timeline.add({
      kind: "order_read",
      actor: "pathway",
      at: now,
      orderId: order.id,
      detail: { lines: order.lines.length, unmapped, environment, ...totals },
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
    };
  });
  const opened = await tenant.requests.add(requests, now);
  for (const requestId of opened)
    await tenant.timeline.add({
      kind: "request_opened",
      actor: "pathway",
      at: now,
      orderId: order.id,
      requestId,
      detail: { sku: line.sku },
    });
  return opened;
}

/** One mail for an order, however many units it opened: its page asks for all of them. */
async function askForDetails(
  tenant: Tenant,
  order: StoreOrder,
  [requestId]: string[],
  now: Date,
): Promise<void> {
  if (!requestId || order.buyer.email === null) return;
  const kind = "details_needed" as const;
  await tenant.notifications.note(requestId, kind, now);
  await tenant.jobs.enqueue({ name: "send-mail", shop: tenant.shop, requestId, kind });
}

/**
 * Ends the requests of units that are no longer bought: cancelled when nothing has been sent for them. Where the
 * service may hold a referral, somebody has to look.
 */
async function takeBack(
  tenant: Tenant,
  requests: ReferralRequest[],
  now: Date,
): Promise<{ cancelled: number; surplus: number }> {
  const taken = { cancelled: 0, surplus: 0 };
  for (const { id, orderId, unwanted, state } of requests) {
    const entry = { actor: "shopify", at: now, orderId, requestId: id } as const;
    const change = { attention: null, unwanted: false };
    if (await tenant.requests.move(id, UNSENT_STATES, "cancelled", change)) {
      taken.cancelled++;
      await tenant.timeline.add({ ...entry, kind: "request_cancelled" });
      continue;
    }
    taken.surplus++;
    if (unwanted) continue;
    await tenant.requests.setUnwanted(id, true);
    if (state === "created") await tenant.requests.setAttention(id, "refunded_after_sending");
    await tenant.timeline.add({ ...entry, kind: "request_surplus" });
  }
  return taken;
}

function attentionFor(
  order: StoreOrder,
  unmapped: number,
  existing: ReferralRequest[],
  opened: number,
): string | null {
  if (order.cancelledAt) return null;
  if (unmapped > 0) return "unmapped_line";
  const waiting = opened > 0 || existing.some((request) => request.state === "awaiting_details");
  const reachable = order.customerId !== null || order.buyer.email !== null;
  return waiting && !reachable ? "no_contact" : null;
}
