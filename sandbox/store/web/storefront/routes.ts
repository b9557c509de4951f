import { join } from "node:path";
import express, { type Router } from "express";
import type { WebContext } from "../context.ts";
import { discoverExtensions } from "../extensions/discover.ts";
import { html } from "../html.ts";
import { asyncHandler, field, parameter, sameSiteOnly, sendPage } from "../http.ts";
import { forwardToApp } from "./app-proxy.ts";
import { readCart, withQuantity, writeCart } from "./cart.ts";
import { cartPage } from "./cart-page.ts";
import { checkoutRoutes } from "./checkout-routes.ts";
import { storefrontPage } from "./layout.ts";
import { collectionPage, productPage } from "./product-pages.ts";

/** The online store. */
export function storefrontRoutes(web: WebContext): Router {
  const { facts, ports } = web;
  const router = express.Router();
  router.get(
    "/",
    asyncHandler(async (request, response) => {
      sendPage(response, await collectionPage(web, request, true));
    }),
  );
  router.get(
    ["/collections/:handle", "/collections", "/products"],
    asyncHandler(async (request, response) => {
      sendPage(response, await collectionPage(web, request, false));
    }),
  );
  router.get(
    "/products/:handle",
    asyncHandler(async (request, response) => {
      const { handle } = request.params;
      const product = (await ports.products()).find(
        (candidate) => candidate.handle === handle && candidate.status === "ACTIVE",
      );
      if (product) sendPage(response, await productPage(web, request, product));
      else sendPage(response, missing(web, request), 404);
    }),
  );
  router.use(cartRoutes(web));
  router.use("/checkout", checkoutRoutes(web));
  router.get(
    "/cdn/extensions/:handle/assets/:file",
    asyncHandler(async (request, response) => {
      const { theme } = await discoverExtensions(web.extensionsDir);
      const extension = theme.find(({ handle }) => handle === request.params.handle);
      if (!extension) response.status(404).end();
      else {
        const root = join(extension.directory, "assets");
        response.sendFile(parameter(request.params.file), { root }, (error) => {
          if (error && !response.headersSent) response.status(404).end();
        });
      }
    }),
  );
  const { proxy } = facts.app;
  if (proxy) {
    router.all(
      [`/${proxy.prefix}/${proxy.subpath}`, `/${proxy.prefix}/${proxy.subpath}/*`],
      express.raw({ type: () => true, limit: "5mb" }),
      asyncHandler((request, response) => forwardToApp(web, request, response)),
    );
  }
  router.use((request, response) => sendPage(response, missing(web, request), 404));
  return router;
}

function cartRoutes(web: WebContext): Router {
  const router = express.Router();
  const form = [sameSiteOnly, express.urlencoded({ extended: false })];
  router.get(
    "/cart",
    asyncHandler(async (request, response) => sendPage(response, await cartPage(web, request))),
  );
  router.post("/cart/add", ...form, (request, response) => {
    const cart = readCart(request);
    const id = field(request, "id");
    const added = Number(field(request, "quantity")) || 1;
    if (/^\d+$/.test(id)) writeCart(response, withQuantity(cart, id, (cart[id] ?? 0) + added));
    response.redirect(303, "/cart");
  });
  router.post("/cart/change", ...form, (request, response) => {
    const id = field(request, "id");
    const quantity = Number(field(request, "quantity"));
    if (/^\d+$/.test(id)) writeCart(response, withQuantity(readCart(request), id, quantity || 0));
    response.redirect(303, "/cart");
  });
  return router;
}

function missing(web: WebContext, request: express.Request) {
  return storefrontPage(web, request, {
    title: "Not found",
    content: html`<section class="card"><h1>This page does not exist</h1>
      <p><a class="button" href="/">Go to the shop</a></p></section>`,
  });
}
