import type { DocumentKind } from "../documents/document.ts";
import type { CustomerId, OrderId, ShopDomain } from "../ids.ts";
import { mayCorrect } from "../patients/correct-patient-details.ts";
import type { Ports } from "../ports.ts";
import { isCurrent } from "../referrals/referral-repository.ts";
import { isUnsent } from "../requests/request.ts";
import type { Tenant } from "../tenant.ts";
import {
  type CustomerState,
  customerState,
  isShown,
  NEXT_STEPS,
  type RequestFacts,
} from "./customer-view.ts";
import { gatherFacts, isVisible } from "./request-facts.ts";

/** One test as its shopper sees it (sandbox.md, section 4). */
export interface CustomerRequest {
  id: string;
  orderId: OrderId;
  orderName: string;
  title: string;
  state: CustomerState;
  nextStep: string;
  documents: { id: string; kind: DocumentKind; version: number; partial: boolean }[];
  resultId?: string;
  /** Whether the form must ask for a Medicare card. */
  needsMedicare: boolean;
  /** Whether details that were given can still be corrected. */
  canCorrect: boolean;
  /** Statuses of its referrals, as the service wrote them. */
  statuses: string[];
  /** The buyer's own details, offered to the buyer alone while details are still asked for. */
  prefill: Prefill | null;
}

export interface Prefill {
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  phone: string | null;
  address: Record<string, string | null> | null;
}

/** All requests of one signed-in customer, newest order first. */
export async function listCustomerRequests(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, customerId }: { shop: ShopDomain; customerId: CustomerId },
): Promise<CustomerRequest[]> {
  return tenancy.inShop(shop, async (tenant) => {
    const requests = await tenant.requests.forCustomer(customerId);
    const facts = await gatherFacts(tenant, requests);
    const names = await tenant.orders.namesOf([...new Set(requests.map((r) => r.orderId))]);
    const views: CustomerRequest[] = [];
    for (const one of facts.filter(isShown)) {
      const name = names.get(one.request.orderId) ?? "";
      views.push({ ...viewOf(one, name), prefill: await prefillFor(tenant, one) });
    }
    return views;
  });
}

/** One request of this customer; null when it is somebody else's or nobody's. */
export async function findCustomerRequest(
  ports: Pick<Ports, "tenancy">,
  target: { shop: ShopDomain; customerId: CustomerId; requestId: string },
): Promise<CustomerRequest | null> {
  const all = await listCustomerRequests(ports, target);
  return all.find((request) => request.id === target.requestId) ?? null;
}

function viewOf(facts: RequestFacts, orderName: string): Omit<CustomerRequest, "prefill"> {
  const { request, results, documents } = facts;
  const state = customerState(facts);
  const released = results.find((result) => result.releasedAt !== null);
  return {
    id: request.id,
    orderId: request.orderId,
    orderName,
    title: request.title,
    state,
    nextStep: NEXT_STEPS[state],
    documents: documents
      .filter((document) => isVisible(document, facts))
      .map(({ id, kind, version, partial }) => ({ id, kind, version, partial })),
    ...(released ? { resultId: released.uuid } : {}),
    needsMedicare: request.items.medicareTests.length > 0,
    statuses: facts.referrals.filter(isCurrent).map(({ status }) => status),
    canCorrect: isUnsent(request)
      ? request.hasPatient && !["awaiting_details", "cancelled"].includes(request.state)
      : mayCorrect(request, facts.referrals),
  };
}

async function prefillFor(tenant: Tenant, { request }: RequestFacts): Promise<Prefill | null> {
  if (request.state !== "awaiting_details") return null;
  const buyer = await tenant.orders.buyerOf(request.orderId);
  if (!buyer) return null;
  const { firstName, lastName, email, phone, address } = buyer;
  return { firstName, lastName, email, phone, address: address ? { ...address } : null };
}
