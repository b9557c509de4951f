import type { OrderDocument } from "../../state/order.ts";

const recommendations = new Map([
  ["NONE", "NONE"],
  ["PENDING", "NONE"],
  ["LOW", "ACCEPT"],
  ["MEDIUM", "INVESTIGATE"],
  ["HIGH", "CANCEL"],
]);

/** OrderRiskSummary: one assessment, by Shopify itself (`provider` null). */
export const riskView = ({ riskLevel }: OrderDocument) => ({
  recommendation: recommendations.get(riskLevel),
  assessments: riskLevel === "NONE" ? [] : [{ riskLevel, provider: null, facts: [] }],
});
