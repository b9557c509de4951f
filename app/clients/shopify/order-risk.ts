import type { OrderRiskReader } from "../../modules/referrals/order-risk.ts";
import type { AdminGraphql } from "./admin-graphql.ts";
import { ORDER_RISK_QUERY, orderRiskAnswerSchema } from "./operations/order-risk.ts";

/** Shopify's own assessment of an order, read through the Admin API. The worst counts where there are several. */
export function createOrderRiskReader(graphql: AdminGraphql): OrderRiskReader {
  return {
    async assess(shop, id) {
      const { order } = await graphql(shop, ORDER_RISK_QUERY, { id }, orderRiskAnswerSchema);
      if (!order) return null;
      const own = order.risk.assessments.filter(({ provider }) => provider === null);
      const levels = new Set(own.map(({ riskLevel }) => riskLevel));
      if (levels.has("HIGH")) return "high";
      return levels.has("PENDING") ? "pending" : "clear";
    },
  };
}
