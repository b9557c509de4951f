import type { AccessEntry } from "../kernel/access-log.ts";
import type { OrderId, ShopDomain } from "../kernel/ids.ts";
import type { Actor, TimelineEntry } from "../kernel/timeline.ts";
import { type PhoneToRing, readPhones } from "../notifications/read-phones.ts";
import type { Consent } from "../patients/consent-repository.ts";
import type { RequestFacts } from "../referrals/customer-view.ts";
import { gatherFacts } from "../referrals/request-facts.ts";
import type { OrderHeader } from "./order-header.ts";
import type { Ports } from "./ports.ts";

const MAX_ACCESSES = 100;
const MAX_STAFF = 250;

export interface OrderOverview {
  order: OrderHeader;
  /** By line, unit and generation. Existence and versions of documents; nothing of their content. */
  requests: RequestFacts[];
  /** What was agreed to for each request, oldest first: the shop's own words, and nobody's details. */
  consents: ReadonlyMap<string, Consent[]>;
  /** Whom to ring, for each request whose mails the address refuses. */
  phones: ReadonlyMap<string, PhoneToRing>;
  /** Newest first. */
  timeline: TimelineEntry[];
  /** Who saw, took or released what belongs to its requests, newest first. */
  accesses: AccessEntry[];
  /** The names of staff, by how the timeline names them. */
  staffNames: ReadonlyMap<string, string>;
}

/**
 * Everything that staff may know about one order; null when the shop has no such order. `actor`: whose role decides whether
 * a patient's phone number is shown; null shows none.
 */
export async function readOrder(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, orderId, actor }: { shop: ShopDomain; orderId: OrderId; actor: Actor | null },
): Promise<OrderOverview | null> {
  return tenancy.inShop(shop, async (tenant) => {
    const order = await tenant.overview.order(orderId);
    if (!order) return null;
    const requests = await tenant.requests.forOrder(orderId);
    const timeline = await tenant.timeline.forOrder(orderId);
    const ids = requests.map(({ id }) => id);
    const phones = await readPhones(tenant, requests, { reader: actor, now: clock.now() });
    const accesses = await tenant.accessLog.forRequests(ids, MAX_ACCESSES);
    const staff = await tenant.staff.list(MAX_STAFF);
    const consents = new Map<string, Consent[]>();
    for (const id of ids) consents.set(id, await tenant.consents.forRequest(id));
    return {
      order,
      consents,
      phones,
      requests: await gatherFacts(tenant, requests),
      timeline: timeline.reverse(),
      accesses,
      staffNames: new Map(staff.map((one) => [one.staff, one.name])),
    };
  });
}
