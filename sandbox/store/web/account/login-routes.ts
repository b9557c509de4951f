import express, { type Router } from "express";
import { z } from "zod";
import type { WebContext } from "../context.ts";
import { clearCookie, readCookie, writeCookie } from "../cookies.ts";
import { asyncHandler, field, localPath, parameter, sameSiteOnly, sendPage } from "../http.ts";
import { CUSTOMER_COOKIE } from "../ports.ts";
import { codePage, loginPage } from "./login-pages.ts";

const HOME = "/account/orders";

/** Signing in by an emailed code, and out. */
export function loginRoutes(web: WebContext): Router {
  const { ports } = web;
  const router = express.Router();
  const form = [sameSiteOnly, express.urlencoded({ extended: false })];

  router.get(
    "/login",
    asyncHandler(async (request, response) => {
      const returnPath = localPath(parameter(request.query.return), HOME);
      sendPage(response, await loginPage(web, { returnPath }));
    }),
  );
  router.post(
    "/login",
    ...form,
    asyncHandler(async (request, response) => {
      const returnPath = localPath(field(request, "return"), HOME);
      const email = field(request, "email").toLowerCase();
      if (!z.email().safeParse(email).success) {
        const error = "Enter an email address like name@example.com.";
        sendPage(response, await loginPage(web, { returnPath, email, error }), 422);
        return;
      }
      await ports.sendLoginCode(email);
      const query = new URLSearchParams({ email, return: returnPath });
      response.redirect(303, `/account/login/code?${query}`);
    }),
  );
  router.get(
    "/login/code",
    asyncHandler(async (request, response) => {
      const returnPath = localPath(parameter(request.query.return), HOME);
      sendPage(
        response,
        await codePage(web, { returnPath, email: parameter(request.query.email) }),
      );
    }),
  );
  router.post(
    "/login/code",
    ...form,
    asyncHandler(async (request, response) => {
      const returnPath = localPath(field(request, "return"), HOME);
      const email = field(request, "email").toLowerCase();
      const customerId = await ports.redeemLoginCode(email, field(request, "code"));
      if (!customerId) {
        const error = "That code is not right, or it is too old. Check the newest mail.";
        sendPage(response, await codePage(web, { returnPath, email, error }), 422);
        return;
      }
      writeCookie(response, CUSTOMER_COOKIE, await ports.startCustomerSession(customerId));
      response.redirect(303, returnPath);
    }),
  );
  router.post(
    "/logout",
    ...form,
    asyncHandler(async (request, response) => {
      const token = readCookie(request, CUSTOMER_COOKIE);
      if (token) await ports.endCustomerSession(token);
      clearCookie(response, CUSTOMER_COOKIE);
      response.redirect(303, "/");
    }),
  );
  return router;
}
