import type {
  StoreProducts,
  StoreVariant,
  VariantCondition,
} from "../../modules/catalogue/store-products.ts";
import { gid, gidNumber, type ProductId, type ShopDomain } from "../../modules/kernel/ids.ts";
import type { AdminGraphql } from "./admin-graphql.ts";
import { nextPage } from "./next-page.ts";
import {
  DELETE_DETAILS_MUTATION,
  deleteDetailsAnswerSchema,
  SET_DETAILS_MUTATION,
  setDetailsAnswerSchema,
} from "./operations/product-details.ts";
import {
  PRODUCT_QUERY,
  productAnswerSchema,
  type ReadProduct,
  type ReadVariant,
  VARIANTS_QUERY,
  variantsAnswerSchema,
} from "./operations/variants.ts";
import { StoreError } from "./store-error.ts";

/** Where the theme block finds a product's details (extensions/product-details, shopify.app.toml). */
const DETAILS_FIELD = { namespace: "$app", key: "pathway" } as const;
type DetailsField = typeof DETAILS_FIELD & { ownerId: ProductId };

/** Codes of an attempt that failed at Shopify, or beside another writer: nothing that was sent is wrong. */
const TRIED_AGAIN: ReadonlySet<string> = new Set(["INTERNAL_ERROR", "STALE_OBJECT"]);

/** Products, read and described through the Admin API. */
export function createStoreProducts(graphql: AdminGraphql): StoreProducts {
  const deleteField = async (shop: ShopDomain, field: DetailsField) => {
    const variables = { metafields: [field] };
    const answer = await graphql(
      shop,
      DELETE_DETAILS_MUTATION,
      variables,
      deleteDetailsAnswerSchema,
    );
    return answer.metafieldsDelete;
  };
  const setField = async (shop: ShopDomain, field: DetailsField, value: string) => {
    const variables = { metafields: [{ ...field, type: "json", value }] };
    const answer = await graphql(shop, SET_DETAILS_MUTATION, variables, setDetailsAnswerSchema);
    return answer.metafieldsSet;
  };
  return {
    async variants(shop, { after, condition }) {
      if (condition.kind === "product") {
        const variables = { id: condition.productId, after };
        const answer = await graphql(shop, PRODUCT_QUERY, variables, productAnswerSchema);
        const { product } = answer;
        const storeId = answer.shop?.id;
        if (!product) return { variants: [], next: null, storeId };
        const { nodes, pageInfo } = product.variants;
        return {
          variants: nodes.map((variant) => toStoreVariant(variant, product)),
          next: nextPage(pageInfo, [after]),
          storeId,
        };
      }
      const variables = { after, query: queryOf(condition) };
      const answer = await graphql(shop, VARIANTS_QUERY, variables, variantsAnswerSchema);
      const { nodes, pageInfo } = answer.productVariants;
      return {
        variants: nodes.map((variant) => toStoreVariant(variant, variant.product)),
        next: nextPage(pageInfo, [after]),
        storeId: answer.shop?.id,
      };
    },
    async publish(shop, ownerId, details) {
      const field = { ownerId, ...DETAILS_FIELD };
      try {
        const answer =
          details === null ? await deleteField(shop, field) : await setField(shop, field, details);
        if (!answer) return NOT_ALLOWED;
        const [error] = answer.userErrors;
        if (!error) return { kind: "published" };
        if (error.field?.includes("ownerId")) return { kind: "gone" };
        const code = error.code ?? "INVALID";
        if (TRIED_AGAIN.has(code)) throw new StoreError("store_unreachable");
        return { kind: "refused", code };
      } catch (error) {
        // Without the scope nothing comes back at all; trying again would not help before it is granted.
        if (isRefusal(error)) return NOT_ALLOWED;
        throw error;
      }
    },
  };
}

const NOT_ALLOWED = { kind: "refused", code: "ACCESS_DENIED" } as const;

const isRefusal = (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "store_refused";

function toStoreVariant(variant: ReadVariant, product: ReadProduct): StoreVariant {
  return {
    id: gid("ProductVariant", variant.id),
    productId: gid("Product", product.id),
    productTitle: product.title,
    variantTitle: product.hasOnlyDefaultVariant ? null : variant.title,
    sku: variant.sku || null,
    priceCents: Math.round(Number(variant.price) * 100),
    productStatus: product.status.toLowerCase(),
  };
}

/** In Shopify's search language. */
function queryOf(condition: Exclude<VariantCondition, { kind: "product" }>): string | null {
  switch (condition.kind) {
    case "all":
      return null;
    case "variants":
      return condition.variantIds.map((id) => `id:${gidNumber(id)}`).join(" OR ");
    case "updated_since":
      return `updated_at:>='${condition.since.toISOString()}'`;
  }
}
