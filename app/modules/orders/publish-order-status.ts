import { errorCode } from "../../platform/error-code.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import type { Turn } from "../kernel/jobs.ts";
import type { Milestone, Reached, ToldWay } from "../referrals/milestone.ts";
import type { Shop } from "../shops/shop.ts";
import { DOUBT_MS } from "../shops/store-doubt.ts";
import type { StoreFactsReader } from "../shops/store-facts.ts";
import { OPTION_SCOPES } from "./order-status-publisher.ts";
import { fulfilIssued } from "./orders/fulfil-issued.ts";
import { endNotTold, mayHaveItem, noteNotTold } from "./orders/note-not-told.ts";
import type { Ports } from "./ports.ts";
import { isForGood } from "./refused-for-good.ts";
import { underPresentName } from "./under-present-name.ts";

/**
 * `later`: the same is queued for when a fulfilment that nobody answered for, or that another job makes, is over, or while another store
 * has the name: nothing is written into that one.
 */
export type TellOutcome = "told" | "not_wanted" | "later";

type PublishPorts = Pick<
  Ports,
  "tenancy" | "orderStatusPublisher" | "storeFacts" | "storeAccess" | "clock"
>;

/** Tags that the merchant may filter orders by. */
const ORDER_TAGS: Record<Milestone, string> = {
  referral_issued: "pathway-form-issued",
  results_ready: "pathway-results-in",
  attention_needed: "pathway-needs-attention",
};

/**
 * Writes a milestone into the store, as far as the merchant has turned that on and allowed it. The first job of a milestone asks
 * for one of each way, so that a tag that Shopify refuses keeps no workflow from starting. Done twice it changes
 * nothing: a tag is there once, and no unit is fulfilled twice. A workflow whose call nobody answered for is
 * not started again; it may be when the process dies between Shopify's yes and the job's end. Where a former name's session does not work,
 * the store's present name tells, and a refusal that lasts is an item for a person (docs/decisions/0184).
 */
export async function publishOrderStatus(
  ports: PublishPorts,
  { way, ...told }: { shop: ShopDomain; way?: ToldWay | undefined } & Reached,
  turn: Turn = { retries: 0 },
): Promise<TellOutcome> {
  const { tenancy, clock } = ports;
  const { shop, orderId } = told;
  const settings = await tenancy.inShop(shop, (tenant) => tenant.shops.find());
  if (settings?.installed && settings.otherStoreId !== null) {
    const job = { name: "publish-order-status", ...told, ...(way && { way }) } as const;
    const startAfter = new Date(clock.now().getTime() + DOUBT_MS);
    await tenancy.inShop(shop, (tenant) => tenant.jobs.enqueue(job, { startAfter }));
    return "later";
  }
  if (!way) return askForEach(ports, told);
  if (!settings?.installed) return "not_wanted";
  try {
    const outcome = await tellBy(ports, settings, { way, ...told });
    if (outcome !== "later" && mayHaveItem(way, turn))
      await endNotTold(ports, { shop, orderId, way });
    return outcome;
  } catch (error) {
    if (isForGood(error, turn)) await noteNotTold(ports, { shop, orderId, way });
    throw error;
  }
}

async function tellBy(
  ports: PublishPorts,
  settings: Shop,
  { way, ...told }: { shop: ShopDomain; way: ToldWay } & Reached,
): Promise<TellOutcome> {
  const { orderStatusPublisher, storeFacts } = ports;
  const { shop, orderId, milestone } = told;
  // It may have been turned off, or taken back in Shopify, since it was asked for.
  const wishes = await wishesOf(storeFacts, settings, milestone);
  if (!wishes.includes(way)) return "not_wanted";
  switch (way) {
    case "tag":
      await underPresentName(ports, shop, (name) =>
        orderStatusPublisher.addTag(name, orderId, ORDER_TAGS[milestone]),
      );
      return "told";
    case "fulfilment":
      return fulfilIssued(ports, told);
    case "flow":
      return startFlow(ports, told);
  }
}

/** Starts the merchant's workflows, once: where nobody knows whether they started, the order's timeline says so. */
async function startFlow(
  ports: PublishPorts,
  { shop, ...told }: { shop: ShopDomain } & Reached,
): Promise<TellOutcome> {
  const { tenancy, orderStatusPublisher, clock } = ports;
  try {
    await underPresentName(ports, shop, (name) => orderStatusPublisher.startFlow(name, told));
    return "told";
  } catch (error) {
    const { milestone, orderId, requestId } = told;
    const of = { orderId, ...(requestId ? { requestId } : {}) };
    const entry = { ...of, kind: "workflow_unclear", actor: "pathway", at: clock.now() } as const;
    // A line that could not be written must not have the workflow started once more. The job's failure is logged in any case.
    if (errorCode(error) === "store_unclear")
      await Promise.allSettled([
        tenancy.inShop(shop, (tenant) => tenant.timeline.add({ ...entry, detail: { milestone } })),
      ]);
    throw error;
  }
}

/** A workflow may look for the tag, so that the tag is given so much time first. */
const FLOW_AFTER_MS = 3_000;

/** Queues each way in which the merchant wants to be told. */
async function askForEach(
  { tenancy, storeFacts, clock }: Pick<Ports, "tenancy" | "storeFacts" | "clock">,
  told: { shop: ShopDomain } & Reached,
): Promise<TellOutcome> {
  const { shop, milestone } = told;
  const settings = await tenancy.inShop(shop, (tenant) => tenant.shops.find());
  if (!settings?.installed) return "not_wanted";
  const ways = await wishesOf(storeFacts, settings, milestone);
  await tenancy.inShop(shop, async (tenant) => {
    for (const way of ways) {
      const job = { name: "publish-order-status", ...told, way } as const;
      const isLater = way === "flow" && ways.length > 1;
      const startAfter = new Date(clock.now().getTime() + FLOW_AFTER_MS);
      await tenant.jobs.enqueue(job, isLater ? { startAfter } : undefined);
    }
  });
  return ways.length > 0 ? "told" : "not_wanted";
}

/** The options that are turned on and allowed. One that Shopify does not allow any more explains itself in the settings. */
async function wishesOf(
  storeFacts: Pick<StoreFactsReader, "covers">,
  { scope, tagOrders, markFulfilled, startFlows }: Shop,
  milestone: Milestone,
): Promise<ToldWay[]> {
  const isIssued = milestone === "referral_issued";
  const mayTag = tagOrders && (await storeFacts.covers(scope, OPTION_SCOPES.tagOrders));
  const mayFulfil =
    markFulfilled && isIssued && (await storeFacts.covers(scope, OPTION_SCOPES.markFulfilled));
  return [
    ...(mayTag ? (["tag"] as const) : []),
    ...(mayFulfil ? (["fulfilment"] as const) : []),
    ...(startFlows ? (["flow"] as const) : []),
  ];
}
