import type { ProductDocument, VariantRecord } from "../../state/product.ts";
import { connection, type PageArguments, type Position } from "../connection.ts";
import type { Caller } from "../context.ts";
import { notModelled } from "../not-modelled.ts";
import { type SearchFields, search } from "../search.ts";
import { productView, variantView } from "../views/product.ts";

export interface SearchArguments extends PageArguments {
  query?: string | null;
  sortKey?: string | null;
}

export const productsOf = (caller: Caller): ProductDocument[] =>
  caller.platform.data.products.all().filter((product) => product.shop === caller.shop.id);

export function productsConnection(caller: Caller, args: SearchArguments) {
  const position = productPositions[args.sortKey ?? "ID"];
  if (!position) throw notModelled(`sorting products by ${args.sortKey}`);
  return connection(searchProducts(productsOf(caller), args.query), args, position, (product) =>
    productView(caller, product),
  );
}

export const searchProducts = (products: ProductDocument[], query: string | null | undefined) =>
  search(
    products,
    query,
    productSearchFields,
    (product) =>
      `${product.title} ${product.vendor} ${product.productType} ${product.tags.join(" ")} ${product.variants.map((variant) => variant.sku).join(" ")}`,
  );

interface Offer {
  product: ProductDocument;
  variant: VariantRecord;
}

export const offersOf = (caller: Caller): Offer[] =>
  productsOf(caller).flatMap((product) =>
    product.variants.map((variant) => ({ product, variant })),
  );

export function variantsConnection(caller: Caller, args: SearchArguments) {
  const position = variantPositions[args.sortKey ?? "ID"];
  if (!position) throw notModelled(`sorting variants by ${args.sortKey}`);
  return connection(searchVariants(offersOf(caller), args.query), args, position, (offer) =>
    variantView(caller, offer.product, offer.variant),
  );
}

export const searchVariants = (offers: Offer[], query: string | null | undefined) =>
  search(
    offers,
    query,
    variantSearchFields,
    ({ product, variant }) => `${product.title} ${variant.title} ${variant.sku ?? ""}`,
  );

const time = (iso: string): number => Date.parse(iso);

const productPositions: Record<string, (product: ProductDocument) => Position> = {
  ID: (product) => [product.id, product.id],
  TITLE: (product) => [product.title.toLowerCase(), product.id],
  CREATED_AT: (product) => [time(product.createdAt), product.id],
  UPDATED_AT: (product) => [time(product.updatedAt), product.id],
  VENDOR: (product) => [product.vendor.toLowerCase(), product.id],
  PRODUCT_TYPE: (product) => [product.productType.toLowerCase(), product.id],
  RELEVANCE: (product) => [product.id, product.id],
};

const variantPositions: Record<string, (offer: Offer) => Position> = {
  ID: ({ variant }) => [variant.id, variant.id],
  TITLE: ({ variant }) => [variant.title.toLowerCase(), variant.id],
  FULL_TITLE: ({ product, variant }) => [
    `${product.title} ${variant.title}`.toLowerCase(),
    variant.id,
  ],
  SKU: ({ variant }) => [(variant.sku ?? "").toLowerCase(), variant.id],
  RELEVANCE: ({ variant }) => [variant.id, variant.id],
};

export const productSearchFields: SearchFields<ProductDocument> = {
  id: (product) => product.id,
  title: (product) => [product.title, ...product.title.split(/\s+/)],
  handle: (product) => product.handle,
  status: (product) => product.status,
  vendor: (product) => product.vendor,
  product_type: (product) => product.productType,
  tag: (product) => product.tags,
  gift_card: (product) => product.isGiftCard,
  sku: (product) => product.variants.map((variant) => variant.sku),
  variant_id: (product) => product.variants.map((variant) => variant.id),
  variant_title: (product) => product.variants.map((variant) => variant.title),
  created_at: (product) => new Date(product.createdAt),
  updated_at: (product) => new Date(product.updatedAt),
};

export const variantSearchFields: SearchFields<Offer> = {
  id: ({ variant }) => variant.id,
  sku: ({ variant }) => variant.sku,
  barcode: ({ variant }) => variant.barcode,
  title: ({ variant }) => [variant.title, ...variant.title.split(/\s+/)],
  product_id: ({ product }) => product.id,
  product_ids: ({ product }) => product.id,
  product_status: ({ product }) => product.status,
  product_type: ({ product }) => product.productType,
  vendor: ({ product }) => product.vendor,
  tag: ({ product }) => product.tags,
  updated_at: ({ variant }) => new Date(variant.updatedAt),
};
