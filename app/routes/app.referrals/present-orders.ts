import { hasEnded } from "../../modules/kernel/batch.ts";
import { gidNumber } from "../../modules/kernel/ids.ts";
import type { Tone } from "../../modules/kernel/words.ts";
import { reasonKey } from "../../modules/referrals/review-reason.ts";
import { STAGES } from "../../modules/referrals/stage.ts";
import { describeAttention } from "../../modules/reports/attention-words.ts";
import type { OrderSummary } from "../../modules/reports/order-summary.ts";
import { boundedCount, CUSTOMER_ERASED } from "../../modules/reports/order-words.ts";
import { type OrdersOverview, TAB_LIMIT } from "../../modules/reports/read-orders.ts";
import { ERASED } from "../../modules/reports/request-state-words.ts";
import type { SavedView } from "../../modules/reports/saved-view.ts";
import { STAGE_WORDS } from "../../modules/reports/stage-words.ts";
import type { WebApp } from "../../web-app.ts";
import { presentWait } from "./present-wait.ts";

/** A row tells so many products by name, and of the others how many there are. */
const SHOWN_PRODUCTS = 2;

export type ViewRow = SavedView;
export type OrderRow = ReturnType<typeof presentOrders>["orders"][number];

/** The rows of the index, in words. */
export function presentOrders(app: Pick<WebApp, "describeFailure">, page: OrdersOverview) {
  return {
    orders: page.orders.map((order) => ({
      ...presentOrder(app, order),
      /** Why it needs a person: whoever acts on it says what they saw. */
      open: Object.fromEntries(
        (page.open.get(order.orderId) ?? []).map((one) => [reasonKey(one.reason), one.version]),
      ),
      waits: (page.waits.get(order.orderId) ?? []).map(presentWait),
    })),
    previous: page.previous,
    next: page.next,
    views: page.views,
    counts: Object.fromEntries(
      STAGES.map((stage) => [stage, boundedCount(page.counts[stage], TAB_LIMIT)]),
    ),
    run: page.run && { id: page.run.id, isDone: hasEnded(page.run) },
  };
}

function presentOrder({ describeFailure }: Pick<WebApp, "describeFailure">, order: OrderSummary) {
  const { orderId, name, paidAt, orderMode, cancelledAt, attention, stages } = order;
  const { customer, isErased, erased, products } = order;
  const badges = [
    ...stages.map(({ stage, count }) => ({ ...STAGE_WORDS[stage], count })),
    ...(erased > 0 ? [{ name: ERASED.name, tone: ERASED.tone, count: erased }] : []),
  ];
  // An order's own reason, such as an unmapped product, has no request that could carry it.
  const isMarked = stages.some(({ stage }) => stage === "attention");
  const own: { name: string; tone: Tone; count: number }[] =
    attention && !isMarked ? [{ ...STAGE_WORDS.attention, count: 0 }] : [];
  return {
    number: gidNumber(orderId),
    name,
    paidAt: paidAt.toISOString(),
    orderMode,
    isCancelled: cancelledAt !== null,
    customer: isErased ? CUSTOMER_ERASED : (customer?.name ?? customer?.email ?? null),
    /** Beside a name; an address alone stands in its place. */
    email: customer?.name ? customer.email : null,
    products: products.slice(0, SHOWN_PRODUCTS).join(", "),
    moreProducts: Math.max(0, products.length - SHOWN_PRODUCTS),
    units: order.tests,
    badges: [...own, ...badges],
    attention: attention && describeAttention(attention, describeFailure).sentence,
  };
}
