import { createHmac } from "node:crypto";
import type { Caller } from "../graphql/context.ts";
import type { AdminExecutor } from "../graphql/execute.ts";
import { adminApiVersion } from "../graphql/schema.ts";
import { createThrottle } from "../graphql/throttle.ts";
import { uninstall } from "../install/install.ts";
import { launchQuery } from "../install/launch.ts";
import { openApp } from "../install/open-app.ts";
import { grantOptionalScopes, revokeOptionalScopes, scopesOf } from "../install/scopes.ts";
import { mailsNewestFirst } from "../mail/mailbox.ts";
import { shippingRate } from "../orders/shipping.ts";
import type { Platform } from "../platform.ts";
import { seededShop } from "../seed/seed.ts";
import { mintAdminToken, mintCustomerToken } from "../session-tokens/mint.ts";
import { credentials, signingSecret } from "../state/credentials.ts";
import { idFrom } from "../state/global-id.ts";
import type { ShopDocument } from "../state/shop.ts";
import type { StoreFacts, StorePorts } from "../web/ports.ts";
import { placeOrder } from "./checkout.ts";
import {
  endSession,
  redeemCode,
  sendCode,
  sessionCustomer,
  startSession,
} from "./customer-login.ts";
import { customerPort, deliveryPort, orderPort, productPort } from "./port-views.ts";

/** The store as its own pages see it: the demo shop, read and changed through the same functions as everywhere. */
export function storePorts(platform: Platform, executor: AdminExecutor): StorePorts {
  const { data } = platform;
  const adminThrottle = createThrottle();
  const shop = (): ShopDocument => {
    const found = data.shops.get(seededShop);
    if (!found) throw new Error("the demo shop was not seeded");
    return found;
  };
  const numberOf = (id: string, type: "Order" | "Customer") => idFrom(id, type) ?? 0;
  const orders = () =>
    data.orders
      .all()
      .filter((order) => order.shop === seededShop)
      .reverse();

  return {
    facts: storeFacts(platform, shop),
    products: () =>
      data.products
        .all()
        .filter((product) => product.shop === seededShop)
        .map((product) => productPort(platform, product)),
    order: (id) => {
      const order = data.orders.get(numberOf(id, "Order"));
      return order?.shop === seededShop ? orderPort(platform, order) : null;
    },
    orders: () => orders().map((order) => orderPort(platform, order)),
    ordersOfCustomer: (id) =>
      orders()
        .filter((order) => order.customerId === numberOf(id, "Customer"))
        .map((order) => orderPort(platform, order)),
    customer: (id) => {
      const customer = data.customers.get(numberOf(id, "Customer"));
      return customer?.shop === seededShop ? customerPort(customer) : null;
    },
    shippingRate,
    placeOrder: (input) => placeOrder(platform, shop(), input),

    customerAccounts: () => shop().customerAccounts,
    setCustomerAccounts: (kind) => {
      data.shops.put({ ...shop(), customerAccounts: kind });
    },
    sendLoginCode: (email) => sendCode(platform, shop(), email),
    redeemLoginCode: (email, code) => redeemCode(platform, shop(), email, code),
    startCustomerSession: (id) => startSession(platform, numberOf(id, "Customer")),
    customerOfSession: (token) => sessionCustomer(platform, token),
    endCustomerSession: (token) => endSession(platform, token),

    mintAdminToken: () => mintAdminToken(platform, shop()),
    mintCustomerToken: (id) =>
      mintCustomerToken(platform, shop(), id === null ? null : numberOf(id, "Customer")),
    appLaunchQuery: () => launchQuery(platform, shop()),
    signProxyQuery: (parameters) => proxySignature(platform, parameters),

    adminGraphql: (request) => {
      const caller: Caller = { platform, shop: shop(), scopes: [], isApp: false };
      return executor.run(caller, request, adminThrottle);
    },

    appInstalled: () => data.installs.get(seededShop)?.installed ?? false,
    installApp: async () => {
      await openApp(platform, shop());
    },
    uninstallApp: () => {
      uninstall(platform, shop());
    },

    scopes: () => scopesOf(platform, shop()),
    grantScopes: (scopes) => grantOptionalScopes(platform, shop(), scopes),
    revokeScopes: (scopes) => revokeOptionalScopes(platform, shop(), scopes),

    mails: () => mailsNewestFirst(data),
    deliveries: () =>
      data.deliveries
        .all()
        .sort((left, right) => right.sequence - left.sequence)
        .map((delivery) => deliveryPort(platform, delivery)),
    redeliver: (id) => platform.webhooks.redeliver(id),
  };
}

function storeFacts(platform: Platform, shop: () => ShopDocument): StoreFacts {
  const { config } = platform;
  return {
    shop: seededShop,
    shopName: shop().name,
    shopId: String(shop().numericId),
    currencyCode: shop().currencyCode,
    apiVersion: adminApiVersion,
    get origin() {
      return platform.origin;
    },
    app: {
      name: config.name,
      handle: config.handle,
      apiKey: credentials(platform).apiKey,
      get url() {
        return platform.appUrl;
      },
      homePath: config.homePath,
      get scopes() {
        return config.scopes;
      },
      proxy: config.proxy,
    },
  };
}

/** Hex HMAC-SHA256 over the sorted parameters, joined without a separator. */
function proxySignature(platform: Platform, parameters: Record<string, string>): string {
  const message = Object.entries(parameters)
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join("");
  return createHmac("sha256", signingSecret(platform)).update(message).digest("hex");
}
