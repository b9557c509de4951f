import { z } from "zod";

/** Writes the metafield that the product page's block reads (extensions/product-details). */
export const SET_DETAILS_MUTATION = `#graphql
  mutation PathwaySetProductDetails($metafields: [MetafieldsSetInput!]!) {
    metafieldsSet(metafields: $metafields) {
      metafields {
        id
      }
      userErrors {
        code
        field
      }
    }
  }
`;

export const DELETE_DETAILS_MUTATION = `#graphql
  mutation PathwayDeleteProductDetails($metafields: [MetafieldIdentifierInput!]!) {
    metafieldsDelete(metafields: $metafields) {
      deletedMetafields {
        key
      }
      userErrors {
        field
      }
    }
  }
`;

// The whole mutation is null when the app may not write products. A deletion's errors have no code.
const written = z
  .object({
    userErrors: z.array(
      z.object({ code: z.string().nullish(), field: z.array(z.string()).nullable() }),
    ),
  })
  .nullable();

export const setDetailsAnswerSchema = z.object({ metafieldsSet: written });

export const deleteDetailsAnswerSchema = z.object({ metafieldsDelete: written });
