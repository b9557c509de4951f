import { z } from "zod";

/** Asks for all assessments of an order. One of an app names its provider, and is not Shopify's. */
export const ORDER_RISK_QUERY = `#graphql
  query PathwayOrderRisk($id: ID!) {
    order(id: $id) {
      id
      risk {
        assessments {
          riskLevel
          provider {
            id
          }
        }
      }
    }
  }
`;

export const orderRiskAnswerSchema = z.object({
  order: z
    .object({
      risk: z.object({
        assessments: z.array(
          z.object({ riskLevel: z.string(), provider: z.object({ id: z.string() }).nullable() }),
        ),
      }),
    })
    .nullable(),
});
