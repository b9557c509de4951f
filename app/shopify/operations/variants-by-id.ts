import { z } from "zod";

/** Which of these variants exist. By id and not by search, whose index runs behind the store. */
export const VARIANTS_BY_ID_QUERY = `#graphql
  query PathwayVariantsById($ids: [ID!]!) {
    nodes(ids: $ids) {
      id
    }
  }
`;

export const variantsByIdAnswerSchema = z.object({
  nodes: z.array(z.object({ id: z.string() }).nullable()),
});
