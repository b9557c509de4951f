import type { CustomerId, LineItemId, OrderId, ShopDomain } from "../kernel/ids.ts";
import type { ReferralRequest } from "../referrals/request.ts";
import type { LinkPurpose } from "./link-purpose.ts";
import type { Tenant } from "./tenant.ts";

/** The one who looks at the customer's pages of a shop, and by what right. */
export type Viewer =
  /** Signed in to the shop's customer accounts. */
  | { kind: "customer"; customerId: CustomerId }
  /** Came through a link that was mailed to the order's address, as the code of an account's sign-in is. */
  | { kind: "guest"; orderId: OrderId; link: ViewerLink }
  /** Was handed one unit and came through a link of their own. The unit outlives its generations. */
  | { kind: "patient"; orderId: OrderId; lineItemId: LineItemId; unit: number; link: ViewerLink };

/** The link that a viewer came by, and how far it opens. */
export interface ViewerLink {
  id: string;
  /** The request that the link was mailed for. */
  requestId: string;
  purpose: LinkPurpose;
  unit: { lineItemId: LineItemId; unit: number };
  /** Hash of the secret of the session. */
  sessionHash: Buffer;
  /** When the session showed the mailed code that results need. */
  steppedUpAt: Date | null;
}

export interface ViewerScope {
  shop: ShopDomain;
  viewer: Viewer;
}

/** Whose tests are meant, however they come to see them. */
export type ViewerIdentity =
  | { kind: "customer"; customerId: CustomerId }
  | { kind: "guest"; orderId: OrderId }
  | { kind: "patient"; orderId: OrderId; lineItemId: LineItemId; unit: number };

/** Returns who owns a unit now. A viewer who came as this person would see the same tests. */
export function ownerIdentity(request: ReferralRequest): ViewerIdentity {
  const { owner, customerId, orderId, lineItemId, unit } = request;
  if (owner === "patient") return { kind: "patient", orderId, lineItemId, unit };
  return customerId ? { kind: "customer", customerId } : { kind: "guest", orderId };
}

/** Whether the viewer paid for the unit. Says nothing about whether they may see what became of it. */
export function isBuyer(request: ReferralRequest, viewer: ViewerIdentity): boolean {
  switch (viewer.kind) {
    case "customer":
      return request.customerId === viewer.customerId;
    case "guest":
      return request.orderId === viewer.orderId;
    case "patient":
      return false;
  }
}

/**
 * Whether the viewer alone gives the unit's details and sees its form and results: its buyer, until the unit
 * is handed to somebody, and from then on that person.
 */
export function isOwner(request: ReferralRequest, viewer: ViewerIdentity): boolean {
  if (viewer.kind !== "patient") return request.owner === "buyer" && isBuyer(request, viewer);
  return (
    request.owner === "patient" &&
    request.orderId === viewer.orderId &&
    request.lineItemId === viewer.lineItemId &&
    request.unit === viewer.unit
  );
}

/** Whether the viewer bought or holds it. */
export const concerns = (request: ReferralRequest, viewer: ViewerIdentity): boolean =>
  isBuyer(request, viewer) || isOwner(request, viewer);

/** How many requests of one account are read at once: more than most will ever have. */
const REQUESTS_AT_ONCE = 200;

/**
 * The next requests that the viewer bought or holds, newest first, and the one behind which there may be more. A link
 * opens one order, which is read whole.
 */
export async function nextRequestsOf(
  tenant: Tenant,
  viewer: ViewerIdentity,
  after: string | null,
): Promise<{ requests: ReferralRequest[]; next: string | null }> {
  const page = { after, limit: REQUESTS_AT_ONCE };
  const found =
    viewer.kind === "customer"
      ? await tenant.requests.forCustomer(viewer.customerId, page)
      : await tenant.requests.forOrder(viewer.orderId);
  const last = viewer.kind === "customer" ? found[REQUESTS_AT_ONCE - 1] : undefined;
  return { requests: found.filter((one) => concerns(one, viewer)), next: last?.id ?? null };
}

/** All requests that the viewer bought or holds, newest first. */
export async function requestsOf(
  tenant: Tenant,
  viewer: ViewerIdentity,
): Promise<ReferralRequest[]> {
  const all: ReferralRequest[] = [];
  let after: string | null = null;
  do {
    const { requests, next } = await nextRequestsOf(tenant, viewer, after);
    all.push(...requests);
    after = next;
  } while (after !== null);
  return all;
}
