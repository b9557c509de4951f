import { appUrl } from "../../shared/app-url.ts";
import type { Outcome } from "../../shared/failure.ts";
import { flag, listOf, optional, shape, text } from "../../shared/read-json.ts";
import { send } from "../../shared/send.ts";

const readOrderRequests = listOf(
  shape({
    id: text,
    title: text,
    state: text,
    stateText: text,
    nextStep: optional(text),
    /** An app of an earlier version does not say. */
    needsStaff: optional(flag),
  }),
);
export type OrderRequest = ReturnType<typeof readOrderRequests>[number];

/** The number in `gid://shopify/Order/123`: what the app's addresses carry. null for anything else. */
export const numericOrderId = (orderId: string | undefined): string | null =>
  /^gid:\/\/shopify\/Order\/(\d+)$/.exec(orderId ?? "")?.[1] ?? null;

/** Whether staff have something to do: a test whose referral exists may need them as well. */
export const needsStaff = (request: Pick<OrderRequest, "state" | "needsStaff">): boolean =>
  request.needsStaff ?? ["held", "rejected", "ambiguous", "needs_support"].includes(request.state);

/** GET /api/admin/orders/{number}/requests with the staff member's session token. */
export const fetchOrderRequests = (
  orderNumber: string,
  token: () => Promise<string | null>,
  origin = appUrl,
): Promise<Outcome<OrderRequest[]>> =>
  send({
    address: `${origin}/api/admin/orders/${orderNumber}/requests`,
    token,
    read: readOrderRequests,
  });
