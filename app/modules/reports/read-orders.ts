import { countBroken } from "../catalogue/broken-mappings.ts";
import type { Batch } from "../kernel/batch.ts";
import type { OrderId, ShopDomain } from "../kernel/ids.ts";
import { type PhoneToRing, readPhones } from "../notifications/read-phones.ts";
import type { Stage } from "../referrals/stage.ts";
import { numberUnits, type UnitKey, type UnitNumber } from "../referrals/unit-number.ts";
import { FINDING_REASONS } from "../referrals/urgency.ts";
import type { Reviewer } from "../shops/shop.ts";
import { actionOf } from "./attention-action.ts";
import { type AttentionItem, type ReasonCount, TODAY } from "./attention-item.ts";
import type { OrderQuery, PageStart } from "./order-selection.ts";
import type { OrderPage } from "./order-summary.ts";
import type { OrderWait } from "./order-wait.ts";
import type { Ports } from "./ports.ts";
import { pricesOf, type RequestPrices } from "./price-requests.ts";
import type { SavedView } from "./saved-view.ts";
import type { Tenant } from "./tenant.ts";

export interface OrdersOverview extends OrderPage {
  views: SavedView[];
  waits: ReadonlyMap<OrderId, OrderWait[]>;
  /** Why each order needs a person. */
  open: ReadonlyMap<OrderId, AttentionItem[]>;
  /** Orders behind each tab; TAB_LIMIT + 1 means more. */
  counts: Record<Stage, number>;
  /** A bulk action of the last hour, to tell how it went; null when there was none. */
  run: Batch | null;
}

/** A tab counts no further: the list is opened as often as anything. */
export const TAB_LIMIT = 99;
const RECENT_MS = 3_600_000;

/** One page of the shop's paid orders with where their requests stand, and what stands around the list. */
export async function readOrders(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, ...query }: OrderQuery & { shop: ShopDomain },
): Promise<OrdersOverview> {
  const since = new Date(clock.now().getTime() - RECENT_MS);
  return tenancy.inShop(shop, async (tenant) => {
    const page = await pageOrFirst(tenant, query);
    const needy = page.orders.filter(({ attention }) => attention !== null);
    const items = await tenant.overview.attentionOf(needy.map(({ orderId }) => orderId));
    return {
      ...page,
      open: Map.groupBy(items, ({ orderId }) => orderId),
      waits: await tenant.overview.waits(page.orders.map(({ orderId }) => orderId)),
      counts: await tenant.overview.stageCounts(TAB_LIMIT),
      views: await tenant.views.all(),
      run: await tenant.batches.latest("order_action", { since }),
    };
  });
}

/** Everything on a later page may have changed since its address was made: the list begins anew then, and is not called empty. */
async function pageOrFirst(tenant: Tenant, query: OrderQuery): Promise<OrderPage> {
  const page = await tenant.overview.orderPage(query);
  if (page.orders.length > 0 || query.start === null) return page;
  return tenant.overview.orderPage({ ...query, start: null });
}

export interface AttentionOverview extends Pick<OrderPage, "previous" | "next"> {
  /** What cannot wait until tomorrow, oldest first; on the first page alone. */
  today: AttentionItem[];
  /** Everything else, newest first. */
  items: AttentionItem[];
  /** The number of a test of these orders among all of its order. */
  numberOf: (unit: UnitKey) => UnitNumber;
  /** Whom to ring, for each request whose mails the address refuses. Patients' numbers stand on the order's page. */
  phones: ReadonlyMap<string, PhoneToRing>;
  /** The reader of held results; null where nobody is named. */
  reviewer: Reviewer | null;
  /** The cost of the items' own buttons, by request. */
  prices: RequestPrices;
  run: Batch | null;
  /** Variants on sale that can't be ordered as they are mapped: an order of one would need a person. */
  brokenMappings: number;
  /** The kinds of reasons there are, the most frequent first; a count above REASON_LIMIT means more. */
  reasons: ReasonCount[];
}

/** Among so many of the newest the reasons are counted. */
export const REASON_LIMIT = 1_000;
const MAX_TODAY = 50;

/** Whether an item cannot wait until tomorrow. */
export const isForToday = ({ reason }: Pick<AttentionItem, "reason">): boolean =>
  TODAY.includes(reason.code);

/** The reasons that cannot wait until tomorrow, of at most `limit` orders: the oldest first. */
export async function readToday(tenant: Tenant, limit: number): Promise<AttentionItem[]> {
  const urgent = await tenant.overview.ordersWithReason(TODAY, limit);
  return (await tenant.overview.attentionOf(urgent)).filter(isForToday).toReversed();
}

/** One page of what needs a person: each item one reason of one order. What cannot wait stands before the first page. */
export async function readAttention(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  {
    shop,
    start,
    size,
    reason,
  }: Pick<OrderQuery, "start" | "size" | "reason"> & { shop: ShopDomain },
): Promise<AttentionOverview> {
  const since = new Date(clock.now().getTime() - RECENT_MS);
  const filter = "attention" as const;
  const query = {
    filter,
    orderMode: null,
    paidFrom: null,
    paidUntil: null,
    sort: "newest" as const,
    search: "",
    start,
    size,
    reason,
  };
  const isAsked = (item: AttentionItem) => !reason || item.reason.code === reason;
  return tenancy.inShop(shop, async (tenant) => {
    const urgent = await readToday(tenant, MAX_TODAY);
    const today = urgent.filter(isAsked);
    const above = new Set(urgent.map(({ orderId }) => orderId));
    const isBelow = (item: AttentionItem) => !(isForToday(item) && above.has(item.orderId));
    const found = await pageOfItems(tenant, query, (item) => isAsked(item) && isBelow(item));
    const { items, previous, next, isFirst } = found;
    const phones = await phonesOf(tenant, [...today, ...items], clock.now());
    const numberOf = await numbersOf(tenant, [...today, ...items]);
    const orderable = [...today, ...items].filter(({ reason }) => actionOf(reason).kind === "do");
    const ids = orderable.flatMap(({ requestIds }) => requestIds);
    const prices = await pricesOf(tenant, ids);
    const run = await tenant.batches.latest("order_action", { since });
    const reasons = await tenant.overview.reasonCounts(REASON_LIMIT);
    const settings = await tenant.shops.find();
    const environment = settings?.environment ?? "staging";
    const reviewer = settings?.reviewer ?? null;
    const brokenMappings = await countBroken(tenant, environment);
    const page = { previous, next, run, reasons, reviewer, brokenMappings };
    return { today: isFirst ? today : [], items, numberOf, phones, prices, ...page };
  });
}

/** Numbers the tests of what needs a person, as they are named everywhere (docs/decisions/0186). */
export async function numbersOf(
  tenant: Tenant,
  items: readonly AttentionItem[],
): Promise<(unit: UnitKey) => UnitNumber> {
  const orderIds = [...new Set(items.map(({ orderId }) => orderId))];
  return numberUnits(await tenant.requests.unitsOf(orderIds));
}

/**
 * The next page that has an item to show: all orders of one may stand above the list, or have been dealt with meanwhile. Behind
 * the end of the list it begins anew.
 */
async function pageOfItems(
  tenant: Tenant,
  query: OrderQuery,
  isShown: (item: AttentionItem) => boolean,
): Promise<Pick<AttentionOverview, "items" | "previous" | "next"> & { isFirst: boolean }> {
  for (const begin of query.start ? [query.start, null] : [null]) {
    const isBack = begin !== null && "before" in begin;
    for (let start: PageStart = begin; ; ) {
      const { orders, previous, next } = await tenant.overview.orderPage({ ...query, start });
      const found = await tenant.overview.attentionOf(orders.map((order) => order.orderId));
      const items = found.filter(isShown);
      const isFirst = isBack ? previous === null : begin === null;
      if (items.length > 0) return { items, previous: isFirst ? null : previous, next, isFirst };
      const further = isBack ? previous : next;
      if (further === null) break;
      start = isBack ? { before: further } : { after: further };
    }
  }
  return { items: [], previous: null, next: null, isFirst: true };
}

/** Reasons to ring somebody: what waits for a patient's details, and what was found. */
const TO_RING: ReadonlySet<string> = new Set([
  ...FINDING_REASONS,
  "mail_refused",
  "details_overdue",
]);

async function phonesOf(tenant: Tenant, items: AttentionItem[], now: Date) {
  const ids = items.flatMap(({ reason, requestIds }) =>
    TO_RING.has(reason.code) ? requestIds : [],
  );
  const requests = [];
  for (const id of ids) requests.push(await tenant.requests.find(id));
  return readPhones(
    tenant,
    requests.flatMap((one) => one ?? []),
    { reader: null, now },
  );
}
