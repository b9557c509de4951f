import type { AccessEntry } from "../kernel/access-log.ts";
import type { CustomerId, OrderId, ShopDomain } from "../kernel/ids.ts";
import { type Actor, TIMELINE_KEPT_YEARS, type TimelineEntry } from "../kernel/timeline.ts";
import { type OrderMail, readMails } from "../notifications/read-mails.ts";
import { type PhoneToRing, readPhones } from "../notifications/read-phones.ts";
import { type ReminderState, readReminders } from "../notifications/read-reminders.ts";
import type { Consent } from "../patients/consent-repository.ts";
import { addAwaitedCorrection } from "../referrals/await-correction.ts";
import type { RequestFacts } from "../referrals/customer-view.ts";
import { isPatientLost } from "../referrals/recall-owner.ts";
import { gatherFacts } from "../referrals/request-facts.ts";
import type { HandledItem } from "./attention-item.ts";
import type { OrderHeader } from "./order-header.ts";
import { type OrderCustomer, toCustomer } from "./order-summary.ts";
import type { OrderWait } from "./order-wait.ts";
import type { Ports } from "./ports.ts";
import { priceRequests, type RequestPrices } from "./price-requests.ts";
import { shownUnits } from "./shown-units.ts";

/** Whether the buyer has an account or an address: the order says more about it (`no_contact`). */
export const isReachable = ({
  order,
  customer,
  isErased,
}: Pick<OrderOverview, "order" | "customer" | "isErased">): boolean =>
  isErased || order.customerId !== null || customer?.email != null;

const MAX_ACCESSES = 100;
const MAX_STAFF = 250;

export interface OrderOverview {
  order: OrderHeader;
  /** By line, unit and generation. Existence and versions of documents; nothing of their content. */
  requests: RequestFacts[];
  /** The requests that the page shows (shown-units.ts). */
  shown: ReadonlySet<string>;
  /** What was agreed to for each request that is shown, oldest first: the shop's own words, and nobody's details. */
  consents: ReadonlyMap<string, Consent[]>;
  /** Whom to ring, for each request whose mails the address refuses. */
  phones: ReadonlyMap<string, PhoneToRing>;
  /** Who bought, as the store told; null when it told of nobody, or when they were erased. */
  customer: (OrderCustomer & { id: CustomerId | null }) | null;
  /** The customer's data has been destroyed. */
  isErased: boolean;
  /** Newest first. */
  mails: OrderMail[];
  /** One for each person whose details are missing. */
  reminders: ReminderState[];
  /** What somebody has marked as handled, and whose cause still stands. */
  handled: HandledItem[];
  /** The causes for which it waits, and which no click hastens. */
  waits: OrderWait[];
  /** Newest first. */
  timeline: TimelineEntry[];
  /** Its data was erased so long ago that old entries are kept no longer. */
  hasTimelineEnded: boolean;
  /** Who saw, took or released what belongs to its requests, newest first. */
  accesses: AccessEntry[];
  /** The cost of a click of staff, for each request that one can order. */
  prices: RequestPrices;
  /** The names of staff, by how the timeline names them. */
  staffNames: ReadonlyMap<string, string>;
}

/**
 * Everything that staff may know about one order; null when the shop has no such order. `actor`: whose role decides whether
 * a patient's phone number is shown; null shows none. `isWhole`: somebody asked for every test of a large order.
 */
export async function readOrder(
  { tenancy, clock, waits }: Pick<Ports, "tenancy" | "clock" | "waits">,
  {
    shop,
    orderId,
    actor,
    isWhole = false,
  }: { shop: ShopDomain; orderId: OrderId; actor: Actor | null; isWhole?: boolean },
): Promise<OrderOverview | null> {
  return tenancy.inShop(shop, async (tenant) => {
    const order = await tenant.overview.order(orderId);
    if (!order) return null;
    const requests = await tenant.requests.forOrder(orderId);
    const timeline = await tenant.timeline.forOrder(orderId);
    const ids = requests.map(({ id }) => id);
    const now = clock.now();
    const phones = await readPhones(tenant, requests, { reader: actor, now });
    const context = { requests, timeline, reader: actor, now, waits };
    const mails = await readMails(tenant, context);
    const reminders = await readReminders(tenant, context);
    const customer = toCustomer(await tenant.orders.buyerOf(orderId));
    const accesses = await tenant.accessLog.forRequests(ids, MAX_ACCESSES);
    const staff = await tenant.staff.list(MAX_STAFF);
    const consents = new Map<string, Consent[]>();
    const gathered = await addAwaitedCorrection(tenant, await gatherFacts(tenant, requests));
    const facts: RequestFacts[] = [];
    for (const one of gathered)
      facts.push({ ...one, isPatientLost: await isPatientLost(tenant, one.request) });
    const shown = shownUnits(requests, { isWhole });
    for (const id of shown) consents.set(id, await tenant.consents.forRequest(id));
    return {
      order,
      customer: customer && { ...customer, id: order.customerId },
      isErased: order.erasedAt !== null,
      mails,
      reminders,
      shown,
      consents,
      phones,
      handled: await tenant.overview.handledOf([orderId]),
      waits: (await tenant.overview.waits([orderId])).get(orderId) ?? [],
      requests: facts,
      prices: await priceRequests(tenant, facts),
      timeline: timeline.reverse(),
      hasTimelineEnded: hasEnded(order, now),
      accesses,
      staffNames: new Map(staff.map((one) => [one.staff, one.name])),
    };
  });
}

function hasEnded({ erasedAt }: OrderHeader, now: Date): boolean {
  const horizon = new Date(now);
  horizon.setUTCFullYear(now.getUTCFullYear() - TIMELINE_KEPT_YEARS);
  return erasedAt !== null && erasedAt < horizon;
}
