import { errorCode } from "../../platform/error-code.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import type { Turn } from "../kernel/jobs.ts";
import type { ToldOutage } from "../orders/order-status-publisher.ts";
import { isForGood } from "../orders/refused-for-good.ts";
import { underPresentName } from "../orders/under-present-name.ts";
import type { Ports } from "../privacy/ports.ts";
import { DOUBT_MS } from "../shops/store-doubt.ts";

/**
 * Starts the merchant's workflows of an outage, or of its end, while the merchant has workflows started at all. They may be
 * started again when the process dies between Shopify's yes and the job's end. While another store has the name, the same is queued for
 * later. A refusal that lasts stands on the home page (`readUnheard`) until a workflow of an outage starts.
 */
export async function startOutageFlow(
  ports: Pick<Ports, "tenancy" | "orderStatusPublisher" | "storeAccess" | "clock">,
  { shop, ...told }: { shop: ShopDomain } & ToldOutage,
  turn: Turn = { retries: 0 },
): Promise<"told" | "not_wanted" | "later"> {
  const { tenancy, orderStatusPublisher, clock } = ports;
  const note = (at: Date | null) =>
    tenancy.inShop(shop, (tenant) => tenant.connections.recordFlowRefused(told.environment, at));
  const settings = await tenancy.inShop(shop, (tenant) => tenant.shops.find());
  if (!settings?.installed || !settings.startFlows) return "not_wanted";
  if (settings.otherStoreId !== null) {
    const job = { name: "start-outage-flow", shop, ...told } as const;
    const startAfter = new Date(clock.now().getTime() + DOUBT_MS);
    await tenancy.inShop(shop, (tenant) => tenant.jobs.enqueue(job, { startAfter }));
    return "later";
  }
  try {
    await underPresentName(ports, shop, (name) => orderStatusPublisher.startOutageFlow(name, told));
  } catch (error) {
    // An unclear call is not made again: nobody knows whether they started.
    if (isForGood(error, turn) || errorCode(error) === "store_unclear") await note(clock.now());
    throw error;
  }
  await note(null);
  return "told";
}
