import express, { type Request, type Response, type Router } from "express";
import type { WebContext } from "../context.ts";
import { extensionsOf } from "../extensions/discover.ts";
import { asyncHandler, parameter, sendPage } from "../http.ts";
import type { StoreCustomer } from "../ports.ts";
import { accountApi } from "./api.ts";
import { loginRoutes } from "./login-routes.ts";
import { orderStatusPage, ordersPage } from "./order-pages.ts";
import { extensionPage, missingPage, profilePage } from "./other-pages.ts";
import { orderAccess, signedInCustomer } from "./session.ts";

type CustomerHandler = (
  request: Request,
  response: Response,
  customer: StoreCustomer,
) => Promise<void>;

/** The customer account, mounted at `/account`. */
export function accountRoutes(web: WebContext): Router {
  const { ports } = web;
  const router = express.Router();
  router.use("/api", accountApi(web));
  router.use(loginRoutes(web));

  /** A page for customers only: others sign in first and come back. */
  const forCustomer = (handler: CustomerHandler) =>
    asyncHandler(async (request, response) => {
      const customer = await signedInCustomer(request, ports);
      if (customer) await handler(request, response, customer);
      else response.redirect(`/account/login?return=${encodeURIComponent(request.originalUrl)}`);
    });

  router.get("/", (_request, response) => response.redirect("/account/orders"));
  router.get(
    "/orders",
    forCustomer(async (_request, response, customer) => {
      sendPage(response, await ordersPage(web, customer));
    }),
  );
  router.get(
    "/orders/:id",
    asyncHandler(async (request, response) => {
      const customer = await signedInCustomer(request, ports);
      const access = await orderAccess(ports, {
        orderId: `gid://shopify/Order/${parameter(request.params.id)}`,
        key: parameter(request.query.key),
        customerId: customer?.id ?? null,
      });
      if (access.kind !== "none") {
        sendPage(response, await orderStatusPage(web, access, customer));
      } else if (!customer) {
        response.redirect(`/account/login?return=${encodeURIComponent(request.originalUrl)}`);
      } else sendPage(response, await missingPage(web, customer), 404);
    }),
  );
  router.get(
    "/profile",
    forCustomer(async (_request, response, customer) => {
      sendPage(response, await profilePage(web, customer));
    }),
  );
  router.get(
    "/pages/:handle*",
    forCustomer(async (request, response, customer) => {
      const handle = parameter(request.params.handle);
      const installed = await ports.appInstalled();
      const pages = installed
        ? await extensionsOf(web.extensionsDir, "customer-account.page.render")
        : [];
      const extension = pages.find((candidate) => candidate.handle === handle);
      if (!extension || (await ports.customerAccounts()) === "legacy") {
        sendPage(response, await missingPage(web, customer), 404);
        return;
      }
      const rest = request.url.slice(`/pages/${handle}`.length);
      const entryPath = rest.startsWith("/") ? rest : `/${rest}`;
      sendPage(response, await extensionPage(web, { extension, customer, entryPath }));
    }),
  );
  router.use(
    forCustomer(async (_request, response, customer) => {
      sendPage(response, await missingPage(web, customer), 404);
    }),
  );
  return router;
}
