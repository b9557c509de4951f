import express, { type Router } from "express";
import { z } from "zod";
import { createCustomer } from "../customers/create-customer.ts";
import { mergeCustomers } from "../customers/merge-customers.ts";
import type { Platform } from "../platform.ts";
import { changeProduct, deleteProduct } from "../products/change-product.ts";
import { createProduct } from "../products/create-product.ts";
import { Refusal } from "../refusal.ts";
import { renameShop } from "../seed/rename-shop.ts";
import { openShop } from "../seed/seed.ts";
import type { CustomerDocument } from "../state/customer.ts";
import { idFrom } from "../state/global-id.ts";
import type { ProductDocument } from "../state/product.ts";
import type { ShopDocument } from "../state/shop.ts";
import { customerMerge, newCustomer, newProduct, productChanges, timeZone } from "./bodies.ts";
import { idInPath, shopInQuery } from "./shop-in-query.ts";
import { customerAnswer, productAnswer } from "./views.ts";

const newShop = z.object({ shop: z.string().regex(/^[a-z0-9][a-z0-9-]*\.myshopify\.com$/) });

/** Shops, products and customers. */
export function shopRoutes(platform: Platform): Router {
  const router = express.Router();
  const { data } = platform;

  const product = (shop: ShopDocument, text: string): ProductDocument => {
    const found = data.products.get(idFrom(text, "Product") ?? 0);
    if (found?.shop !== shop.id) throw new Refusal(404, "there is no such product");
    return found;
  };
  const customer = (shop: ShopDocument, id: number): CustomerDocument => {
    const found = data.customers.get(id);
    if (found?.shop !== shop.id) throw new Refusal(404, `there is no customer ${id}`);
    return found;
  };

  router.post("/shops", (request, response) => {
    const { shop } = newShop.parse(request.body);
    if (data.shops.get(shop)) throw new Refusal(422, "this shop exists");
    const opened = openShop(platform, shop);
    response.status(201).json({ id: `gid://shopify/Shop/${opened.numericId}`, shop: opened.id });
  });

  // The merchant gives the shop another domain.
  router.put("/domain", (request, response) => {
    const { shop } = newShop.parse(request.body);
    if (data.shops.get(shop)) throw new Refusal(422, "this shop exists");
    response.json({ shop: renameShop(platform, shopInQuery(platform, request), shop).id });
  });
  // The kind of customer accounts that the merchant has chosen.
  router.put("/accounts", (request, response) => {
    const { kind } = z.object({ kind: z.enum(["new", "legacy"]) }).parse(request.body);
    data.shops.put({ ...shopInQuery(platform, request), customerAccounts: kind });
    response.json({ kind });
  });
  // The merchant chooses it in the settings of the store. It has IANA's name.
  router.put("/time-zone", (request, response) => {
    const { name } = timeZone.parse(request.body);
    data.shops.put({ ...shopInQuery(platform, request), ianaTimezone: name });
    response.json({ name });
  });
  router.post("/products", (request, response) => {
    const made = createProduct(
      platform,
      shopInQuery(platform, request),
      newProduct.parse(request.body),
    );
    response.status(201).json(productAnswer(made));
  });
  router.get("/products", (request, response) => {
    const shop = shopInQuery(platform, request);
    response.json(
      data.products
        .all()
        .filter((entry) => entry.shop === shop.id)
        .map(productAnswer),
    );
  });
  router.patch("/products/*", (request, response) => {
    const shop = shopInQuery(platform, request);
    const changes = productChanges.parse(request.body);
    const changed = changeProduct(platform, shop, product(shop, idInPath(request)), changes);
    response.json(productAnswer(changed));
  });
  router.delete("/products/*", (request, response) => {
    const shop = shopInQuery(platform, request);
    deleteProduct(platform, shop, product(shop, idInPath(request)));
    response.status(204).end();
  });

  router.post("/customers/merge", (request, response) => {
    const shop = shopInQuery(platform, request);
    const { keptId, deletedId } = customerMerge.parse(request.body);
    const merged = mergeCustomers(
      platform,
      shop,
      customer(shop, keptId),
      customer(shop, deletedId),
    );
    response.json(customerAnswer(merged));
  });
  router.post("/customers", (request, response) => {
    const { address, addresses, ...person } = newCustomer.parse(request.body);
    const made = createCustomer(platform, shopInQuery(platform, request), {
      ...person,
      addresses: address ? [address, ...addresses] : addresses,
    });
    response.status(201).json(customerAnswer(made));
  });
  router.get("/customers", (request, response) => {
    const shop = shopInQuery(platform, request);
    response.json(
      data.customers
        .all()
        .filter((entry) => entry.shop === shop.id)
        .map(customerAnswer),
    );
  });
  router.get("/customers/*", (request, response) => {
    const id = idFrom(idInPath(request), "Customer") ?? 0;
    response.json(customerAnswer(customer(shopInQuery(platform, request), id)));
  });
  return router;
}
