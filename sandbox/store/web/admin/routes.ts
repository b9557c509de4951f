import express, { type Router } from "express";
import { adminAppBase, adminBase, shopHandle, type WebContext } from "../context.ts";
import { html } from "../html.ts";
import { asyncHandler, field, parameter, sameSiteOnly, sendPage } from "../http.ts";
import { adminApi } from "./api.ts";
import { appPage } from "./app-page.ts";
import { adminHomePage } from "./home-page.ts";
import { adminPage } from "./layout.ts";
import { orderPage, ordersPage } from "./order-pages.ts";
import { productPage, productsPage } from "./product-pages.ts";
import { settingsPage } from "./settings-page.ts";

/** The embedded admin, mounted at `/admin-ui`. */
export function adminRoutes(web: WebContext): Router {
  const { facts, ports } = web;
  const router = express.Router();
  router.use("/api", adminApi(web));

  // The app's pages allow to be framed by one origin only: another name of this host would show an empty frame.
  router.use((request, response, next) => {
    const wanted = new URL(facts.origin);
    if (request.method !== "GET" || request.headers.host === wanted.host) next();
    else response.redirect(facts.origin + request.originalUrl);
  });
  router.get("/", (_request, response) => response.redirect(adminBase(facts)));

  const form = [sameSiteOnly, express.urlencoded({ extended: false })];
  router.post(
    "/install",
    ...form,
    asyncHandler(async (_request, response) => {
      await ports.installApp();
      response.redirect(303, adminAppBase(facts));
    }),
  );
  router.post(
    "/uninstall",
    ...form,
    asyncHandler(async (_request, response) => {
      await ports.uninstallApp();
      response.redirect(303, `${adminBase(facts)}/settings`);
    }),
  );
  router.post(
    "/customer-accounts",
    ...form,
    asyncHandler(async (request, response) => {
      const kind = field(request, "kind");
      if (kind === "new" || kind === "legacy") await ports.setCustomerAccounts(kind);
      response.redirect(303, `${adminBase(facts)}/settings`);
    }),
  );
  router.use(`/store/${shopHandle(facts)}`, storePages(web));
  return router;
}

function storePages(web: WebContext): Router {
  const { facts, ports } = web;
  const router = express.Router();
  const notFound = (title: string) =>
    adminPage({
      facts,
      place: "home",
      title,
      content: html`<section class="card narrow">
        <h1>${title}</h1>
        <p><a class="button" href="${adminBase(facts)}">Go to the start</a></p>
      </section>`,
    });

  router.get(
    "/",
    asyncHandler(async (_request, response) => sendPage(response, await adminHomePage(web))),
  );
  router.get(
    "/orders",
    asyncHandler(async (_request, response) => sendPage(response, await ordersPage(web))),
  );
  router.get(
    "/orders/:id",
    asyncHandler(async (request, response) => {
      const order = await ports.order(`gid://shopify/Order/${parameter(request.params.id)}`);
      if (order) sendPage(response, await orderPage(web, order));
      else sendPage(response, notFound("There is no such order"), 404);
    }),
  );
  router.get(
    "/products",
    asyncHandler(async (_request, response) => sendPage(response, await productsPage(web))),
  );
  router.get(
    "/products/:id",
    asyncHandler(async (request, response) => {
      const id = `gid://shopify/Product/${parameter(request.params.id)}`;
      const product = (await ports.products()).find((candidate) => candidate.id === id);
      if (product) sendPage(response, productPage(web, product));
      else sendPage(response, notFound("There is no such product"), 404);
    }),
  );
  router.get(
    "/settings",
    asyncHandler(async (_request, response) => sendPage(response, await settingsPage(web))),
  );
  // The app is known by its handle and by its API key.
  router.get(
    "/apps/:app*",
    asyncHandler(async (request, response) => {
      const name = parameter(request.params.app);
      if (name !== facts.app.handle && name !== facts.app.apiKey) {
        sendPage(response, notFound("There is no such app"), 404);
        return;
      }
      sendPage(response, await appPage(web, request.url.slice(`/apps/${name}`.length)));
    }),
  );
  router.use((_request, response) => sendPage(response, notFound("There is no such page"), 404));
  return router;
}
