import { crashPoint } from "../../lib/crash-points.ts";
import type { ShopDomain } from "../ids.ts";
import type { InboxMessage } from "../inbox.ts";
import type { Ports } from "../ports.ts";
import type { Tenant } from "../tenant.ts";
import type { StoreMessageReader } from "./store-message.ts";

export type WebhookOutcome = "queued" | "noted" | "parked" | "unreadable" | "gone";

/**
 * Acts on one stored message of the store: decides which work it calls for, queues that, and empties the
 * message, all in one transaction. The message's own figures are not trusted with anything: they may be old.
 */
export async function handleWebhook(
  { tenancy, readMessage }: Pick<Ports, "tenancy"> & { readMessage: StoreMessageReader },
  { shop, inboxId }: { shop: ShopDomain; inboxId: string },
): Promise<WebhookOutcome> {
  const outcome = await tenancy.inShop(shop, async (tenant): Promise<WebhookOutcome> => {
    const message = await tenant.inbox.find(inboxId);
    if (!message) return "gone";
    const meaning = readMessage(message.topic, message.body);
    // Orders can be paid between the install and the merchant's first visit to the app.
    if (meaning.kind === "order_changed" && !(await tenant.shops.findBeforeInstall())?.installed) {
      await tenant.inbox.park(inboxId);
      return "parked";
    }
    const acted = await act(tenant, meaning, message);
    await tenant.inbox.finish(inboxId, acted === "unreadable" ? "unreadable" : "done");
    crashPoint("webhook.before-commit");
    return acted;
  });
  crashPoint("webhook.after-commit");
  return outcome;
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
    case "customer_merged":
      await tenant.requests.moveToCustomer(meaning.from, meaning.into);
      return "noted";
    case "uninstalled":
      // Dated by the event itself, so that a late delivery cannot end a later install.
      await tenant.shops.uninstall(message.triggeredAt ?? message.receivedAt);
      return "noted";
    case "customer_data_requested":
    case "customer_redacted":
    case "shop_redacted":
      // Kept as open duties until they are done: see docs/architecture.md, "Not yet".
      await tenant.privacy.open(meaning.kind, message.id, message.receivedAt);
      return "noted";
    case "noted":
      return "noted";
    case "unreadable":
      return "unreadable";
  }
}
