import type { OrderId, ShopDomain } from "../kernel/ids.ts";
import type { ReferralRequest } from "./request.ts";

/** Shopify's own assessment of an order. `clear`: low, medium, or none given. Pending is not low. */
export const ORDER_RISKS = ["clear", "pending", "high"] as const;
export type OrderRisk = (typeof ORDER_RISKS)[number];

/** Port: asks the store for its present assessment of an order; null when it has no such order. Rejects with StoreError. */
export interface OrderRiskReader {
  assess(shop: ShopDomain, orderId: OrderId): Promise<OrderRisk | null>;
}

/** Codes of the reasons for which a request is held because of its order's risk. */
export const RISK_REASONS = { pending: "risk_pending", high: "high_risk" } as const;

const CODES: ReadonlySet<string> = new Set(Object.values(RISK_REASONS));

/** Whether a reason is one of `RISK_REASONS`. */
export const isRiskReason = ({ code }: { code: string }): boolean => CODES.has(code);

/** Whether a request waits for a person, or for another assessment. */
export const isHeldForRisk = ({
  state,
  reviewReason,
}: Pick<ReferralRequest, "state" | "reviewReason">): boolean =>
  state === "held" && reviewReason !== null && isRiskReason(reviewReason);
