import { webhooks } from "../../platform/counters.ts";
import { crashPoint } from "../../platform/crash-points.ts";
import type { OrderId, ShopDomain } from "../kernel/ids.ts";
import type { InboxMessage, MessageRefusal, PaidOrder } from "../kernel/inbox.ts";
import { askWhetherLeft } from "../shops/ask-whether-left.ts";
import { hasLeft } from "../shops/store-access.ts";
import { AHEAD_MS, isDestructive, messageRefusal } from "./message-refusal.ts";
import { paidLate } from "./paid-late.ts";
import type { Ports } from "./ports.ts";
import { reconcileOrder } from "./reconcile-order.ts";
import type { StoreMessageReader } from "./store-message.ts";
import type { Tenant } from "./tenant.ts";
import { productChanged } from "./webhooks/product-changed.ts";

/** Payments of orders that nobody could see, as many as a shop has in a bad year. The rest is read again by hand. */
const MAX_READ_AGAIN = 500;

/**
 * Something that the store says against a message which came so recently is asked again: for a moment after an uninstall tokens
 * may still work, and a customer who was merged away may still be read.
 */
const SETTLED_MS = 10_000;
/** A sign-in notes the install before it stores what the store can be asked with. */
const SIGNED_IN_MS = 10_000;

export type WebhookOutcome =
  | "queued"
  | "noted"
  | "parked"
  | "unreadable"
  | "refused"
  | "waiting"
  | "gone";

/**
 * Acts on one stored message of the store: decides which work it calls for, queues that, and empties the
 * message, all in one transaction. The message's own figures are not trusted with anything: they may be old.
 */
export async function handleWebhook(
  ports: WebhookPorts,
  { shop, inboxId }: { shop: ShopDomain; inboxId: string },
): Promise<WebhookOutcome> {
  const { tenancy, readMessage, logger } = ports;
  const says = await askStore(ports, { shop, inboxId });
  const { isOfOther, isContradicted, isRead, leftAt, askAgainAt } = says;
  if (askAgainAt) {
    const job = { name: "handle-webhook", shop, inboxId } as const;
    await tenancy.inShop(shop, (tenant) => tenant.jobs.enqueue(job, { startAfter: askAgainAt }));
    return "waiting";
  }
  let refusal: MessageRefusal | null = null;
  const outcome = await tenancy.inShop(shop, async (tenant): Promise<WebhookOutcome> => {
    const message = await tenant.inbox.find(inboxId);
    if (!message) return "gone";
    const meaning = readMessage(message.topic, message.body);
    // Orders can be paid between the install and the merchant's first visit to the app.
    if (meaning.kind === "order_changed" && !(await tenant.shops.findBeforeInstall())?.installed) {
      await tenant.inbox.park(inboxId, meaning);
      return "parked";
    }
    const storeId = (await tenant.shops.find())?.storeId ?? null;
    refusal = messageRefusal(meaning, { shop, storeId, ...message });
    if (isDestructive(meaning) && (await tenant.inbox.cameOtherwise(inboxId)))
      refusal ??= "seen_before";
    if (isOfOther) refusal ??= "other_store";
    if (isContradicted) refusal ??= "not_confirmed";
    if (refusal) {
      await tenant.inbox.refuse(inboxId, refusal);
      return "refused";
    }
    const acted = isRead ? "noted" : await act(tenant, meaning, { ...message, leftAt });
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

type WebhookPorts = Pick<Ports, "tenancy" | "logger" | "storeAccess" | "storeOrders" | "clock"> & {
  readMessage: StoreMessageReader;
};

/** A message that the store is asked about before anything is decided. */
type ToAsk = (MergeOfCustomers | Leaving | LatePayment) & { receivedAt: Date };

type MergeOfCustomers = Extract<ReturnType<StoreMessageReader>, { kind: "customer_merged" }>;

interface Leaving {
  kind: "uninstalled";
  installedAt: Date;
  /** By the clock of the store, which may differ from the one that the install was noted by. */
  isBeforeInstall: boolean;
}

interface LatePayment {
  kind: "paid_late";
  orderId: OrderId;
  paid: PaidOrder;
}

/** The store's answer about a message: nothing against it, for most. */
interface StoreSays {
  /** Another store answers under the name: its customers are not these. */
  isOfOther?: boolean;
  /** The store says otherwise. */
  isContradicted?: boolean;
  /** The order of a payment that came late was read. */
  isRead?: boolean;
  /** The shop has left, as of then, although its message is dated before the install. */
  leftAt?: Date;
  /** It may say something else in a moment. */
  askAgainAt?: Date;
}

/**
 * Asks the store, outside of a transaction, about a message that would end an install or join two customers. The order of a
 * payment that came late is read at once: if the store does not show it, nothing but this message tells that it was paid. Rejects
 * when the store does not answer; the message is then tried again.
 */
async function askStore(
  ports: WebhookPorts,
  { shop, inboxId }: { shop: ShopDomain; inboxId: string },
): Promise<StoreSays> {
  const { tenancy, storeAccess, clock } = ports;
  const asked = await tenancy.inShop(shop, (tenant) => toAsk(ports, tenant, inboxId));
  switch (asked?.kind) {
    case "uninstalled": {
      const { installedAt, isBeforeInstall, receivedAt } = asked;
      const signedInAt = isBeforeInstall ? endOf(installedAt, SIGNED_IN_MS, clock.now()) : null;
      if (signedInAt) return { askAgainAt: signedInAt };
      const isGone = hasLeft(await askWhetherLeft(ports, shop, receivedAt));
      if (isBeforeInstall) return isGone ? { leftAt: installedAt } : {};
      return isGone ? {} : contradicted(asked, clock.now());
    }
    case "customer_merged":
      if ((await storeAccess.check(shop)) === "of_other_store") return { isOfOther: true };
      // Ids are never used twice, in any shop: a customer who is gone here can have left only by a merge or an erasure.
      return (await storeAccess.hasCustomer(shop, asked.from))
        ? contradicted(asked, clock.now())
        : {};
    case "paid_late":
      await reconcileOrder(ports, { shop, orderId: asked.orderId, paid: asked.paid });
      return { isRead: true };
    default:
      return {};
  }
}

function contradicted({ receivedAt }: { receivedAt: Date }, now: Date): StoreSays {
  const askAgainAt = endOf(receivedAt, SETTLED_MS, now);
  return askAgainAt ? { askAgainAt } : { isContradicted: true };
}

/** When a time after `from` ends, if it is under way; a clock that was set back keeps nothing waiting. */
function endOf(from: Date, forMs: number, now: Date): Date | null {
  const passedMs = now.getTime() - from.getTime();
  return passedMs >= 0 && passedMs < forMs ? new Date(from.getTime() + forMs) : null;
}

/**
 * Finds what the store is to be asked about. A payment whose body came also from another shop, or under another topic, tells a
 * person nothing, and is worked on as any other message.
 */
async function toAsk(
  { readMessage, clock }: WebhookPorts,
  tenant: Tenant,
  inboxId: string,
): Promise<ToAsk | null> {
  const message = await tenant.inbox.find(inboxId);
  if (!message) return null;
  const { triggeredAt, receivedAt } = message;
  const read = readMessage(message.topic, message.body);
  const paid = paidLate(read, clock.now());
  if (!triggeredAt && !paid) return null;
  const known = await tenant.shops.find();
  if (!known?.installed) return null;
  const { storeId } = known;
  if (messageRefusal(read, { shop: tenant.shop, storeId, ...message })) return null;
  switch (read.kind) {
    case "order_changed":
      return paid && !(await tenant.inbox.cameOtherwise(inboxId))
        ? { kind: "paid_late", orderId: read.orderId, paid, receivedAt }
        : null;
    case "customer_merged":
      return { ...read, receivedAt };
    case "uninstalled": {
      const { installedAt } = known;
      const beforeMs = triggeredAt ? installedAt.getTime() - triggeredAt.getTime() : 0;
      // It is of an install before the last one, whatever the clocks say.
      if (beforeMs > AHEAD_MS || (await tenant.inbox.cameOtherwise(inboxId))) return null;
      return { kind: "uninstalled", installedAt, isBeforeInstall: beforeMs > 0, receivedAt };
    }
    default:
      return null;
  }
}

async function act(
  tenant: Tenant,
  meaning: ReturnType<StoreMessageReader>,
  message: InboxMessage & Pick<StoreSays, "leftAt">,
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
      // All orders may be read now, those too that nobody was shown.
      for (const orderId of await tenant.orders.paidNotVisible(MAX_READ_AGAIN))
        await tenant.jobs.enqueue({ name: "reconcile-order", shop: tenant.shop, orderId });
      return "queued";
    case "customer_merged":
      await tenant.customers.merge(meaning.from, meaning.into, message.receivedAt);
      return "noted";
    case "uninstalled":
      // Dated by the event itself, so that a late delivery cannot end a later install.
      // A batch that staff started then must not go on when the shop returns: it may email patients.
      if (
        await tenant.shops.uninstall(message.leftAt ?? message.triggeredAt ?? message.receivedAt)
      ) {
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
