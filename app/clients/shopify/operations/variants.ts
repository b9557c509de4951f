import { z } from "zod";

/** Lists what the store sells. */
export const VARIANTS_QUERY = `#graphql
  query PathwayVariants($after: String, $query: String) {
    shop {
      id
    }
    productVariants(first: 100, after: $after, query: $query) {
      nodes {
        id
        title
        sku
        price
        product {
          id
          title
          status
          hasOnlyDefaultVariant
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`;

/** One product by its id: lists are searched in an index that may lag behind, this is not. */
export const PRODUCT_QUERY = `#graphql
  query PathwayProduct($id: ID!, $after: String) {
    shop {
      id
    }
    product(id: $id) {
      id
      title
      status
      hasOnlyDefaultVariant
      variants(first: 100, after: $after) {
        nodes {
          id
          title
          sku
          price
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`;

const productSchema = z.object({
  id: z.string(),
  title: z.string(),
  status: z.string(),
  hasOnlyDefaultVariant: z.boolean(),
});
const variantSchema = z.object({
  id: z.string(),
  title: z.string(),
  sku: z.string().nullable(),
  /** Decimal text, for example "129.00". */
  price: z.string(),
});
const pageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() });

export type ReadProduct = z.infer<typeof productSchema>;
export type ReadVariant = z.infer<typeof variantSchema>;

/** Another store may have the name since. */
const shop = z.object({ id: z.string() }).nullish();

export const variantsAnswerSchema = z.object({
  shop,
  productVariants: z.object({
    nodes: z.array(variantSchema.extend({ product: productSchema })),
    pageInfo,
  }),
});

export const productAnswerSchema = z.object({
  shop,
  product: productSchema
    .extend({ variants: z.object({ nodes: z.array(variantSchema), pageInfo }) })
    .nullable(),
});
