import { webhooks } from "../../platform/counters.ts";
import { crashPoint } from "../../platform/crash-points.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import type { InboxMessage, MessageRefusal } from "../kernel/inbox.ts";
import { isDestructive, messageRefusal } from "./message-refusal.ts";
import type { Ports } from "./ports.ts";
import type { StoreMessageReader } from "./store-message.ts";
import type { Tenant } from "./tenant.ts";
import { productChanged } from "./webhooks/product-changed.ts";

export type WebhookOutcome = "queued" | "noted" | "parked" | "unreadable" | "refused" | "gone";

/**
 * Acts on one stored message of the store: decides which work it calls for, queues that, and empties the
 * message, all in one transaction. The message's own figures are not trusted with anything: they may be old.
 */
export async function handleWebhook(
  ports: WebhookPorts,
  { shop, inboxId }: { shop: ShopDomain; inboxId: string },
): Promise<WebhookOutcome> {
  const { tenancy, readMessage, logger } = ports;
  const isContradicted = await isContradictedByStore(ports, { shop, inboxId });
  let refusal: MessageRefusal | null = null;
  const outcome = await tenancy.inShop(shop, async (tenant): Promise<WebhookOutcome> => {
    const message = await tenant.inbox.find(inboxId);
    if (!message) return "gone";
    const meaning = readMessage(message.topic, message.body);
    // Orders can be paid between the install and the merchant's first visit to the app.
    if (meaning.kind === "order_changed" && !(await tenant.shops.findBeforeInstall())?.installed) {
      await tenant.inbox.park(inboxId, meaning.orderId);
      return "parked";
    }
    refusal = messageRefusal(meaning, { shop, ...message });
    if (isDestructive(meaning) && (await tenant.inbox.cameOtherwise(inboxId)))
      refusal ??= "seen_before";
    if (isContradicted) refusal ??= "not_confirmed";
    if (refusal) {
      await tenant.inbox.refuse(inboxId, refusal);
      return "refused";
    }
    const acted = await act(tenant, meaning, message);
    await tenant.inbox.finish(inboxId, acted === "unreadable" ? "unreadable" : "done");
    crashPoint("webhook.before-commit");
    return acted;
  });
  crashPoint("webhook.after-commit");
  if (refusal) {
    webhooks.add({ source: "shopify", outcome: `refused_${refusal}` });
    logger.warn({ shop, inboxId, refusal }, "webhook refused");
  }
  if (outcome === "unreadable") logger.warn({ shop, inboxId }, "webhook unreadable");
  return outcome;
}

type WebhookPorts = Pick<Ports, "tenancy" | "logger" | "storeAccess"> & {
  readMessage: StoreMessageReader;
};

/**
 * Whether the store itself says otherwise than a message that would end an install or join two customers. The store is
 * asked outside of a transaction. Rejects when it does not answer; the message is then tried again.
 */
async function isContradictedByStore(
  { tenancy, readMessage, storeAccess }: WebhookPorts,
  { shop, inboxId }: { shop: ShopDomain; inboxId: string },
): Promise<boolean> {
  const meaning = await tenancy.inShop(shop, async (tenant) => {
    const message = await tenant.inbox.find(inboxId);
    if (!message?.triggeredAt) return null;
    const read = readMessage(message.topic, message.body);
    if (messageRefusal(read, { shop, ...message })) return null;
    const known = await tenant.shops.find();
    if (!known?.installed) return null;
    return read.kind === "uninstalled" && known.installedAt > message.triggeredAt ? null : read;
  });
  switch (meaning?.kind) {
    case "uninstalled":
      return (await storeAccess.check(shop)) !== "refused";
    case "customer_merged":
      // Ids are never used twice, in any shop: a customer who is gone here can have left only by a merge or an erasure.
      return storeAccess.hasCustomer(shop, meaning.from);
    default:
      return false;
  }
}

async function act(
  tenant: Tenant,
  meaning: ReturnType<StoreMessageReader>,
  message: InboxMessage,
): Promise<WebhookOutcome> {
  switch (meaning.kind) {
    case "order_changed":
      await tenant.jobs.enqueue({
        name: "reconcile-order",
        shop: tenant.shop,
        orderId: meaning.orderId,
      });
      return "queued";
    case "product_changed":
      await productChanged(tenant, meaning.productId);
      return "queued";
    case "scopes_changed":
      await tenant.jobs.enqueue({ name: "read-store-facts", shop: tenant.shop });
      return "queued";
    case "customer_merged":
      await tenant.customers.merge(meaning.from, meaning.into, message.receivedAt);
      return "noted";
    case "uninstalled":
      // Dated by the event itself, so that a late delivery cannot end a later install.
      // A batch that staff started then must not go on when the shop returns: it may email patients.
      if (await tenant.shops.uninstall(message.triggeredAt ?? message.receivedAt)) {
        await tenant.batches.cancelAll(message.receivedAt);
        // Somebody's sample may be on its way to the laboratory.
        await tenant.jobs.enqueue({ name: "tell-waiting", shop: tenant.shop });
      }
      return "noted";
    case "customer_data_requested":
    case "customer_redacted":
    case "shop_redacted":
      // Kept as an open privacy request until it is done; whom it is about would else go with the message.
      await tenant.privacy.open({
        kind: meaning.kind,
        customerId: "customerId" in meaning ? meaning.customerId : null,
        orderIds: "orderIds" in meaning ? meaning.orderIds : [],
        inboxId: message.id,
        askedAt: message.triggeredAt ?? message.receivedAt,
        openedAt: message.receivedAt,
      });
      await tenant.jobs.enqueue({
        name: "do-privacy-request",
        shop: tenant.shop,
        inboxId: message.id,
      });
      return "queued";
    case "noted":
      return "noted";
    case "unreadable":
      return "unreadable";
  }
}
