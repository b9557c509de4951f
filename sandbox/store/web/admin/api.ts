import express, { type Router } from "express";
import { z } from "zod";
import type { WebContext } from "../context.ts";
import { asyncHandler, sameSiteOnly } from "../http.ts";
import type { StoreProduct } from "../ports.ts";

const graphqlBody = z.object({
  query: z.string(),
  variables: z.record(z.string(), z.unknown()).optional(),
});
const scopesBody = z.object({ scopes: z.array(z.string()).min(1) });
const searchBody = z.object({ query: z.string() });

/** Answers the admin's own scripts on behalf of the signed-in staff member. */
export function adminApi({ ports }: WebContext): Router {
  const router = express.Router();
  router.use(sameSiteOnly, express.json());
  router.post(
    "/session-token",
    asyncHandler(async (_request, response) => {
      response.json({ token: await ports.mintAdminToken() });
    }),
  );
  router.post(
    "/graphql",
    asyncHandler(async (request, response) => {
      response.json(await ports.adminGraphql(graphqlBody.parse(request.body)));
    }),
  );
  router.post(
    "/scopes",
    asyncHandler(async (_request, response) => {
      response.json(await ports.scopes());
    }),
  );
  router.post(
    "/scopes/grant",
    asyncHandler(async (request, response) => {
      await ports.grantScopes(scopesBody.parse(request.body).scopes);
      response.json(await ports.scopes());
    }),
  );
  router.post(
    "/scopes/revoke",
    asyncHandler(async (request, response) => {
      await ports.revokeScopes(scopesBody.parse(request.body).scopes);
      response.json(await ports.scopes());
    }),
  );
  router.post(
    "/products",
    asyncHandler(async (request, response) => {
      const wanted = searchBody.parse(request.body).query.trim().toLowerCase();
      const products = await ports.products();
      response.json(
        products
          .filter((product) => product.title.toLowerCase().includes(wanted))
          .map(pickerProduct),
      );
    }),
  );
  return router;
}

/** A product as `shopify.resourcePicker` answers it, as far as the store knows it. */
function pickerProduct(product: StoreProduct): Record<string, unknown> {
  return {
    id: product.id,
    title: product.title,
    handle: product.handle,
    descriptionHtml: product.descriptionHtml,
    productType: product.productType,
    vendor: product.vendor,
    tags: product.tags,
    status: product.status,
    hasOnlyDefaultVariant: product.variants.length === 1,
    totalVariants: product.variants.length,
    images: [],
    variants: product.variants.map((variant, index) => ({
      id: variant.id,
      title: variant.title,
      displayName: `${product.title} - ${variant.title}`,
      sku: variant.sku,
      price: (variant.priceCents / 100).toFixed(2),
      position: index + 1,
      availableForSale: variant.available,
      product: { id: product.id },
    })),
  };
}
