/** Long because it says for each kind of order that a store can show what is opened, kept and told. */
import { crashPoint } from "../../platform/crash-points.ts";
import { together } from "../../platform/together.ts";
import type { LineItemId, OrderId, ShopDomain } from "../kernel/ids.ts";
import type { PaidOrder } from "../kernel/inbox.ts";
import { apply } from "../referrals/apply.ts";
import { isHeldForRisk } from "../referrals/order-risk.ts";
import type { ReferralRequest } from "../referrals/request.ts";
import { withResults } from "../referrals/with-results.ts";
import { findInstalled } from "../shops/find-installed.ts";
import type { Shop } from "../shops/shop.ts";
import { isOfOtherStore } from "../shops/store-doubt.ts";
import type { StoreOrder, StoreOrders } from "./order.ts";
import { askForDetails } from "./orders/ask-for-details.ts";
import { cancelUnits } from "./orders/cancel-units.ts";
import { wasDealtWithUnseen } from "./orders/dealt-with-unseen.ts";
import { environmentOf } from "./orders/environment-of.ts";
import { emailDoubt, followCustomer, withKnownBuyer } from "./orders/follow-buyer.ts";
import { countForgotten } from "./orders/forgotten-units.ts";
import { fulfilAgain, fulfilAgainElsewhere } from "./orders/fulfil-again.ts";
import {
  giveUpUnderOtherName,
  type LeftUnderOtherName,
} from "./orders/give-up-under-other-name.ts";
import { type LineMatches, mappingsOf, matchOrder } from "./orders/match-lines.ts";
import { addressBefore, sendToNewAddress } from "./orders/new-address.ts";
import { openUnits } from "./orders/open-units.ts";
import { recordAttention } from "./orders/order-attention.ts";
import { planOrder } from "./orders/plan-order.ts";
import { planUnits } from "./orders/plan-units.ts";
import { keepWish } from "./orders/read-again.ts";
import { tellNotVisible } from "./orders/tell-not-visible.ts";
import { waitForPause } from "./orders/wait-for-pause.ts";
import type { Ports } from "./ports.ts";
import type { Tenant } from "./tenant.ts";

export type ReconcileOutcome =
  | {
      kind: "reconciled";
      opened: number;
      cancelled: number;
      surplus: number;
      /** Its fulfilment is owed, and nothing of it was ordered under this name of the store. */
      isElsewhere?: boolean;
    }
  /** A later reading has been applied already. */
  | { kind: "superseded" }
  /** It is read again once what a restored database has forgotten of it may be known. */
  | { kind: "postponed" }
  /** The buyer's data has been destroyed; nothing more is done about the order. */
  | { kind: "redacted" }
  | { kind: "not_paid" }
  | { kind: "not_found" }
  | { kind: "not_installed" }
  /** The domain belongs to another store than the one whose rows these are. */
  | { kind: "other_store" };

interface OrderToReconcile {
  shop: ShopDomain;
  orderId: OrderId;
  /** A person named the order: its tests are ordered, however old it is. */
  isWanted?: boolean | undefined;
  /** ISO 8601. A mistake was mended by which its units were taken for no test since then: they are ordered after all. */
  ignoredSince?: string | undefined;
  /** A message told that it was paid long after it was placed (`paidLate`). */
  paid?: PaidOrder | undefined;
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
  { shop, orderId, isWanted, ignoredSince, paid }: OrderToReconcile,
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
  if (!order)
    return tenancy.inShop(shop, async (tenant): Promise<ReconcileOutcome> => {
      // An order that another store does not show says nothing of these.
      if (await isOfOtherStore(tenant)) {
        await tenant.inbox.parkOrder(orderId, paid);
        return { kind: "other_store" };
      }
      await tellNotVisible(tenant, orderId, { readAt, now: clock.now(), paid });
      return { kind: "not_found" };
    });
  const asked = { shop: installed, isWanted, ignoredSince };
  if (await waitForPause({ tenancy, clock }, order, asked)) return { kind: "postponed" };
  const elsewhere = await giveUpUnderOtherName({ tenancy, clock }, shop, order);
  const outcome = await tenancy.inShop(shop, async (tenant): Promise<ReconcileOutcome> => {
    const { customerId, storeId } = order;
    // Its buyers are no business of the store whose rows these are. Parked, what was paid for stays owed.
    if (storeId !== installed.storeId && (await isOfOtherStore(tenant, storeId))) {
      await tenant.inbox.parkOrder(orderId);
      return { kind: "other_store" };
    }
    // Read before a merge and written after it, the order would stay with a customer who is no more.
    const [survivor, known, held] = await together(
      async () => customerId && tenant.customers.survivorOf(customerId),
      () => tenant.orders.namesOf([orderId]),
      () => tenant.shops.findBeforeSave(),
    );
    // The shop may have gone live, or left, since the store was asked.
    const current = held?.installed ? held : await findInstalled(tenant);
    if (!current) {
      await tenant.inbox.parkOrder(orderId);
      return { kind: "not_installed" };
    }
    if (!order.paid && !order.paidInPart && known.size === 0) return { kind: "not_paid" };
    const told = await withKnownBuyer(tenant, { ...order, customerId: survivor });
    const applied = await applyOrder(tenant, current, told, {
      ...{ readAt, isWanted, ignoredSince, elsewhere },
      now: clock.now(),
    });
    if (applied.kind === "superseded")
      await keepWish(tenant, { orderId, isWanted, ignoredSince }, clock.now());
    crashPoint("order.before-commit");
    return applied;
  });
  crashPoint("order.after-commit");
  if (outcome.kind === "reconciled" && outcome.isElsewhere)
    await fulfilAgainElsewhere({ tenancy }, shop, order);
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
  {
    readAt,
    now,
    isWanted = false,
    ignoredSince,
    elsewhere,
  }: { readAt: Date; now: Date; elsewhere?: LeftUnderOtherName } & Pick<
    OrderToReconcile,
    "isWanted" | "ignoredSince"
  >,
): Promise<ReconcileOutcome> {
  const environment = environmentOf(shop, order);
  // A mark as handled holds it too: it comes before all that is read of the order here, or after what is made of it.
  await tenant.orders.lock(order.id);
  const [known, last, mappings] = await together(
    () => addressBefore(tenant, order.id),
    () => tenant.orders.lastReading(order.id),
    () => mappingsOf(tenant, environment, order.lines),
  );
  const email = await emailDoubt(tenant, order, last);
  const hasGrown = last !== null && last.handled.length > 0 && (await buysMore(tenant, order));
  const matches = await matchOrder(tenant, order, { environment, mappings });
  const states = new Map([...matches].map(([lineId, match]) => [lineId, match.state]));
  const isAnyUnmapped = [...states.values()].includes("unmapped");
  const before = new Set(isAnyUnmapped ? await tenant.orders.unmappedLines(order.id) : []);
  const recorded = await tenant.orders.record(order, states, readAt, {
    ...{ now, isWanted },
    ignoredSince: ignoredSince === undefined ? null : new Date(ignoredSince),
  });
  if (recorded === "stale") return { kind: "superseded" };
  crashPoint("order.after-record");
  if (recorded === "redacted") return { kind: "redacted" };
  await followStore(tenant, shop, order);
  await sendToNewAddress(tenant, order, known);

  // Senders claim requests and report about them meanwhile: what is planned must still be so when it is done.
  const isFirst = recorded === "first";
  const [locked, isOtherNames] = await together(
    () => tenant.requests.forOrderForUpdate(order.id),
    async () => isFirst && isOfOtherName(tenant, order, { matches, existing: [] }),
  );
  if (locked.some(({ customerId }) => customerId !== order.customerId))
    await followCustomer(tenant, order, now);
  const units = await countForgotten(tenant, locked);
  const existing = units.map((request) => ({ ...request, customerId: order.customerId }));
  const reported = await withResults(tenant, existing);
  // Shopify's assessment may be why there is news of the order: whoever sends reads it again.
  for (const { id: requestId } of existing.filter(isHeldForRisk))
    await tenant.jobs.enqueue({ name: "create-referral", shop: tenant.shop, requestId });

  const plan = planOrder(order, {
    ...{ matches, existing, reported, isWanted },
    ignored: recorded === "again" ? await ignoredUnits(tenant, order, existing) : undefined,
    isOfOtherName: isFirst
      ? isOtherNames && existing.length === 0
      : await isOfOtherName(tenant, order, { matches, existing }),
    isDealtWith: last !== null && wasDealtWithUnseen(last, order, shop.firstInstalledAt),
    firstInstalledAt: shop.firstInstalledAt,
  });
  const openedIds: string[] = [];
  for (const units of plan.open)
    openedIds.push(...(await openUnits(tenant, { ...units, order, now })));
  for (const request of plan.wanted) await keep(tenant, request, now);
  const requests = plan.cancel;
  const totals = {
    opened: openedIds.length,
    cancelled: await cancelUnits(tenant, { orderId: order.id, requests, now }),
    surplus: plan.surplus,
  };
  if (openedIds.length > 0 && environment === "production") await tenant.orders.markReal(order.id);
  await askForDetails(tenant, order, { openedIds, existing, now });
  const { unmapped, ofBundles, owed, backdated, otherName, ignored, givenAway } = plan;
  const findings = {
    ...{ unmapped, ofBundles, owed, backdated, otherName, ignored, givenAway },
    ...{ existing, email, elsewhere },
    opened: totals.opened,
  };
  const reading = { before, hasGrown, isFirst };
  await recordAttention(tenant, order, findings, reading);
  const isUnfulfilled = last?.reasons.includes("not_fulfilled") === true;
  if (isUnfulfilled && existing.length > 0) await fulfilAgain(tenant, order.id);
  // Shopify sends several messages for one change; only a reading that meant something is worth a line.
  if (isFirst || totals.opened + totals.cancelled + totals.surplus > 0)
    await tenant.timeline.add({
      kind: "order_read",
      actor: "pathway",
      at: now,
      orderId: order.id,
      detail: {
        ...{ lines: order.lines.length, environment },
        ...someOf({ unmapped: unmapped.length, ...totals }),
      },
    });
  const isElsewhere = isUnfulfilled && existing.length === 0;
  return { kind: "reconciled", ...totals, ...(isElsewhere && { isElsewhere }) };
}

/** Counts of what there is: one of nothing is no evidence. */
const someOf = (counts: Record<string, number>) =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));

/**
 * Whether something was ordered for an order under another domain of its store. An order that has tests here already is this one's. A store that
 * does not tell its id is taken to have one domain.
 */
async function isOfOtherName(
  tenant: Tenant,
  { id, storeId }: StoreOrder,
  { matches, existing }: { matches: LineMatches; existing: ReferralRequest[] },
): Promise<boolean> {
  const isTest = [...matches.values()].some(({ mapping }) => mapping?.kind === "order");
  if (!storeId || !isTest || existing.length > 0) return false;
  return tenant.shops.orderedUnderOtherName(id);
}

/** The units that were sold while their product was no test: asked where a line buys more than was ordered for it. */
async function ignoredUnits(
  tenant: Tenant,
  { id, lines }: StoreOrder,
  existing: ReferralRequest[],
): Promise<ReadonlyMap<LineItemId, number> | undefined> {
  const isAnyOwed = lines.some(
    (line) =>
      planUnits(
        existing.filter(({ lineItemId }) => lineItemId === line.id),
        line.currentQuantity,
      ).open.length > 0,
  );
  return isAnyOwed ? tenant.orders.ignoredUnits(id) : undefined;
}

/** Keeps what an order tells of its store, where it is news. */
async function followStore(
  { shops }: Tenant,
  shop: Shop,
  { shopName, shopEmail, shopAccounts, shopTimeZone }: StoreOrder,
): Promise<void> {
  if (shopName && shopName !== shop.name) await shops.rename(shopName);
  if (shopEmail && shopEmail !== shop.contactEmail) await shops.setContactEmail(shopEmail);
  if (shopAccounts && shopAccounts !== shop.customerAccounts)
    await shops.recordFacts({ accounts: shopAccounts });
  if (shopTimeZone && shopTimeZone !== shop.timeZone)
    await shops.recordFacts({ timeZone: shopTimeZone });
}

/** Whether a line buys more units than when the order was last read. */
async function buysMore(tenant: Tenant, { id, lines }: StoreOrder): Promise<boolean> {
  const units = await tenant.orders.unitsOf(id);
  // Nobody has seen a line of it yet.
  if (units.size === 0) return false;
  return lines.some((line) => line.currentQuantity > (units.get(line.id) ?? 0));
}

/** Ends the cancellation of a unit that was bought again before anything was deleted for it. */
async function keep(tenant: Tenant, { id }: ReferralRequest, at: Date): Promise<void> {
  await apply(tenant, id, { kind: "wanted_again" }, { actor: "shopify", at });
}
