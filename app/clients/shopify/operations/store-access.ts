import { z } from "zod";

/** Asks for nothing that could be refused for another reason than that the app is not let in. */
export const SHOP_QUERY = `#graphql
  query PathwayShop {
    shop {
      id
    }
  }
`;
export const shopAnswerSchema = z.object({ shop: z.object({ id: z.string() }) });

export const CUSTOMER_QUERY = `#graphql
  query PathwayCustomer($id: ID!) {
    customer(id: $id) {
      id
    }
  }
`;
export const customerAnswerSchema = z.object({ customer: z.object({ id: z.string() }).nullable() });
