import express, { type Router } from "express";
import type { WebContext } from "../context.ts";
import { asyncHandler, sameSiteOnly, sendPage } from "../http.ts";
import { inboxPage, mailDocument, mailPage } from "./mail-pages.ts";
import { startPage } from "./start-page.ts";
import { webhookPage, webhooksPage } from "./webhook-pages.ts";

/** Start page, inbox and deliveries, mounted at `/sandbox`. */
export function sandboxRoutes(web: WebContext): Router {
  const { ports } = web;
  const router = express.Router();
  router.get(
    "/",
    asyncHandler(async (_request, response) => sendPage(response, await startPage(web))),
  );
  router.get(
    "/mail",
    asyncHandler(async (_request, response) => sendPage(response, await inboxPage(web))),
  );
  router.get(
    "/mail/:id/html",
    asyncHandler(async (request, response) => {
      const mail = (await ports.mails()).find(({ id }) => id === request.params.id);
      if (typeof mail?.html !== "string") {
        response.status(404).end();
        return;
      }
      // Whatever a mail holds, no script runs and nothing is fetched from elsewhere.
      response.set(
        "Content-Security-Policy",
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation",
      );
      sendPage(response, mailDocument(mail.html));
    }),
  );
  router.get(
    "/mail/:id",
    asyncHandler(async (request, response) => {
      const mail = (await ports.mails()).find(({ id }) => id === request.params.id);
      if (mail) sendPage(response, mailPage(web, mail));
      else response.redirect("/sandbox/mail");
    }),
  );
  router.get(
    "/webhooks",
    asyncHandler(async (_request, response) => sendPage(response, await webhooksPage(web))),
  );
  router.get(
    "/webhooks/:id",
    asyncHandler(async (request, response) => {
      const delivery = (await ports.deliveries()).find(({ id }) => id === request.params.id);
      if (delivery) sendPage(response, webhookPage(web, delivery));
      else response.redirect("/sandbox/webhooks");
    }),
  );
  router.post(
    "/webhooks/:id/redeliver",
    sameSiteOnly,
    asyncHandler(async (request, response) => {
      const { id = "" } = request.params;
      await ports.redeliver(id);
      response.redirect(303, `/sandbox/webhooks/${encodeURIComponent(id)}`);
    }),
  );
  router.use((_request, response) => response.redirect("/sandbox"));
  return router;
}
