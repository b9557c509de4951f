import express, { type Router } from "express";
import { z } from "zod";
import { splitScopes } from "../config/app-config.ts";
import { protectedDataApproval } from "../graphql/protected-data.ts";
import { uninstall } from "../install/install.ts";
import { openApp } from "../install/open-app.ts";
import { sendPrivacyRequest } from "../install/privacy.ts";
import { chooseScopes, grantOptionalScopes, scopesOf, setScopes } from "../install/scopes.ts";
import type { Platform } from "../platform.ts";
import { Refusal } from "../refusal.ts";
import { newSecret } from "../seed/seed.ts";
import { mintAdminToken, mintCustomerToken } from "../session-tokens/mint.ts";
import { credentials } from "../state/credentials.ts";
import { idFrom } from "../state/global-id.ts";
import { type StaffDocument, staffOf } from "../state/shop.ts";
import { idOf } from "./bodies.ts";
import { idInPath, shopInQuery } from "./shop-in-query.ts";

const appSettings = z.strictObject({
  url: z.url().optional(),
  scopes: z.union([z.array(z.string()), z.string().transform(splitScopes)]).optional(),
  protectedCustomerData: protectedDataApproval.partial().optional(),
});

const privacyRequest = z.object({
  customerId: idOf("Customer").optional(),
  orderIds: z.array(idOf("Order")).optional(),
});

const lifetime = z.coerce.number().int().optional();
const staffInQuery = z.coerce.number().int().optional();

/** Installing, uninstalling, tokens, privacy requests, and what the developer sets for the app. */
export function appRoutes(platform: Platform): Router {
  const router = express.Router();
  const { data } = platform;

  router.post("/install", (request, response, next) => {
    openApp(platform, shopInQuery(platform, request)).then((opened) => response.json(opened), next);
  });
  router.post("/uninstall", (request, response) => {
    if (!uninstall(platform, shopInQuery(platform, request))) {
      throw new Refusal(409, "the app is not installed");
    }
    response.json({ installed: false });
  });

  router.get("/tokens/admin", (request, response, next) => {
    const seconds = lifetime.parse(request.query.lifetimeSeconds);
    const shop = shopInQuery(platform, request);
    const staffId = staffInQuery.parse(request.query.staff);
    if (staffId !== undefined && !staffOf(shop, staffId))
      throw new Refusal(404, "there is no such member of staff");
    const token = mintAdminToken(platform, shop, { lifetimeSeconds: seconds, staffId });
    token.then((minted) => response.json({ token: minted }), next);
  });
  router.get("/staff", (request, response) => {
    const { staff, colleagues = [] } = shopInQuery(platform, request);
    const told = (one: StaffDocument, accountOwner: boolean) => ({ ...one, accountOwner });
    response.json([told(staff, true), ...colleagues.map((one) => told(one, false))]);
  });
  router.get("/tokens/customer/*", (request, response, next) => {
    const shop = shopInQuery(platform, request);
    const seconds = lifetime.parse(request.query.lifetimeSeconds);
    const text = idInPath(request);
    const id = text === "anonymous" ? null : (idFrom(text, "Customer") ?? 0);
    if (id !== null && data.customers.get(id)?.shop !== shop.id) {
      throw new Refusal(404, "there is no such customer");
    }
    const token = mintCustomerToken(platform, shop, id, seconds);
    token.then((minted) => response.json({ token: minted }), next);
  });

  router.post("/privacy/*", (request, response) => {
    const topic = idInPath(request).replace(
      /^(data_request|customers_data_request)$/,
      "customers/data_request",
    );
    const input = privacyRequest.parse(request.body ?? {});
    sendPrivacyRequest(platform, shopInQuery(platform, request), topic, input);
    response.status(202).json({ topic });
  });

  router.get("/app", (request, response) => {
    const install = data.installs.get(shopInQuery(platform, request).id);
    response.json({
      url: platform.appUrl,
      installed: install?.installed ?? false,
      scopes: install?.scopes ?? [],
      protectedCustomerData: platform.approval,
    });
  });
  router.put("/app", (request, response) => {
    const settings = appSettings.parse(request.body);
    if (settings.url !== undefined) platform.appUrl = settings.url.replace(/\/$/, "");
    if (settings.protectedCustomerData) {
      platform.approval = { ...platform.approval, ...settings.protectedCustomerData };
    }
    if (settings.scopes) {
      platform.config.scopes = settings.scopes;
      const shop = shopInQuery(platform, request);
      if (data.installs.get(shop.id)?.installed) setScopes(platform, shop, settings.scopes);
    }
    response.json({
      url: platform.appUrl,
      scopes: platform.config.scopes,
      protectedCustomerData: platform.approval,
    });
  });

  // Does as a merchant in the dialog with which an app asks for optional scopes.
  router.post("/app/scopes", (request, response) => {
    const shop = shopInQuery(platform, request);
    grantOptionalScopes(
      platform,
      shop,
      z.object({ grant: z.array(z.string()) }).parse(request.body).grant,
    );
    response.json(scopesOf(platform, shop));
  });
  // Grants and takes back as a merchant does in the admin: all scopes that the app is to have from here on.
  router.put("/app/scopes", (request, response) => {
    const shop = shopInQuery(platform, request);
    const { granted } = z.strictObject({ granted: z.array(z.string()) }).parse(request.body);
    chooseScopes(platform, shop, granted);
    response.json(scopesOf(platform, shop));
  });
  router.get("/flow", (request, response) => {
    const { id } = shopInQuery(platform, request);
    response.json(platform.flowTriggered.filter(({ shop }) => shop === id).toReversed());
  });

  // A rotation: the new secret is accepted at once, the old one signs until it is revoked.
  router.post("/app/rotate-secret", (_request, response) => {
    const current = credentials(platform);
    const { secrets } = data.credentials.put({
      ...current,
      secrets: [newSecret(), ...current.secrets],
    });
    response.json({ api_secret: secrets[0], previous: secrets[1] });
  });
  router.post("/app/revoke-old-secret", (_request, response) => {
    const current = credentials(platform);
    data.credentials.put({ ...current, secrets: current.secrets.slice(0, 1) });
    response.json({ api_secret: current.secrets[0] });
  });
  return router;
}
