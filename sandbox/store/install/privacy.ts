import type { Platform } from "../platform.ts";
import { Refusal } from "../refusal.ts";
import type { CustomerDocument } from "../state/customer.ts";
import { nextId } from "../state/next-id.ts";
import type { ShopDocument } from "../state/shop.ts";
import {
  customerRedactPayload,
  dataRequestPayload,
  shopRedactPayload,
} from "../webhooks/payloads/privacy.ts";
import { publish } from "../webhooks/publish.ts";

const redactAfterMs = 48 * 3_600_000;

/**
 * Sends one of the three privacy topics. The two about a customer name all of that customer's orders unless told which.
 * Throws {@link Refusal} for another topic or without a customer.
 */
export function sendPrivacyRequest(
  platform: Platform,
  shop: ShopDocument,
  topic: string,
  input: { customerId?: number; orderIds?: number[] },
): void {
  if (topic === "shop/redact") {
    publish(platform, shop, topic, shopRedactPayload(shop));
    return;
  }
  if (topic !== "customers/data_request" && topic !== "customers/redact") {
    throw new Refusal(
      404,
      "the privacy topics are customers/data_request, customers/redact and shop/redact",
    );
  }
  const customer = customerOf(platform, shop, input.customerId);
  const orderIds =
    input.orderIds ??
    platform.data.orders
      .all()
      .filter((order) => order.customerId === customer.id)
      .map((order) => order.id);
  const payload =
    topic === "customers/redact"
      ? customerRedactPayload(shop, customer, orderIds)
      : dataRequestPayload(shop, customer, orderIds, nextId(platform.data));
  publish(platform, shop, topic, payload);
}

function customerOf(
  platform: Platform,
  shop: ShopDocument,
  id: number | undefined,
): CustomerDocument {
  if (id === undefined) throw new Refusal(422, "customerId is needed");
  const customer = platform.data.customers.get(id);
  if (customer?.shop !== shop.id) throw new Refusal(404, "there is no such customer");
  return customer;
}

/** Sends shop/redact to whom it is due: 48 h after uninstalling, unless the app is back. */
export function sendDueShopRedacts(platform: Platform): void {
  const { data, clock } = platform;
  for (const install of data.installs.all()) {
    if (install.installed || install.redactSent || install.uninstalledAt === null) continue;
    if (clock.nowMs() - Date.parse(install.uninstalledAt) < redactAfterMs) continue;
    const shop = data.shops.get(install.id);
    if (!shop) continue;
    data.installs.put({ ...install, redactSent: true });
    publish(platform, shop, "shop/redact", shopRedactPayload(shop));
  }
}
