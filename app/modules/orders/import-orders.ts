import { AppError } from "../../platform/errors.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import { DOUBT_MS } from "../shops/store-doubt.ts";
import type { OrderListPage } from "./listed-order.ts";
import type { OrderImport } from "./order-import.ts";
import type { Ports } from "./ports.ts";
import type { Tenant } from "./tenant.ts";

export type ImportOrdersOutcome =
  | { kind: "page"; imported: number; changed: number }
  | { kind: "finished"; imported: number; changed: number }
  /** Another store has the name: nothing is asked of that one, and the look goes on once it is over. */
  | { kind: "held" }
  /** Ended, cancelled, or this page was done by another run of the job. */
  | { kind: "not_due" };

/**
 * Looks at one page of the store's orders, hands those that were missed to the reconciliation that every
 * webhook leads to, and queues the next page. Page, counts and jobs are one commit: a process that dies leaves
 * the walk where its last page ended. A page that cannot be had is tried again by the job runner.
 */
export async function importOrders(
  { tenancy, storeOrderList, clock }: Pick<Ports, "tenancy" | "storeOrderList" | "clock">,
  { shop, orderImportId }: { shop: ShopDomain; orderImportId: string },
): Promise<ImportOrdersOutcome> {
  const walk = await tenancy.inShop(shop, async (tenant) => {
    const found = await tenant.orderImports.find(orderImportId);
    if (found?.state !== "running") return null;
    const known = await tenant.shops.find();
    if (known?.installed && known.otherStoreId !== null)
      return holdBack(tenant, found, clock.now());
    if (known?.installed) return found;
    // Coming back begins a new one.
    await tenant.orderImports.cancel(orderImportId, clock.now());
    return null;
  });
  if (!walk) return { kind: "not_due" };
  if (walk === "held") return { kind: "held" };
  const page = await readPage({ tenancy, storeOrderList }, shop, walk);
  return tenancy.inShop(shop, async (tenant) => {
    const { unknown, changed } = await tenant.orderImports.news(page.orders);
    const counts = { imported: unknown.length, changed: changed.length };
    const progress = {
      ...counts,
      seen: page.orders.length,
      reached: page.orders.at(-1)?.updatedAt ?? walk.reached,
      cursor: page.next,
    };
    if (!(await tenant.orderImports.record(walk.id, walk.pages, progress, clock.now())))
      return { kind: "not_due" };
    for (const orderId of [...unknown, ...changed])
      await tenant.jobs.enqueue({ name: "reconcile-order", shop, orderId });
    if (!page.next) return { kind: "finished", ...counts };
    const rest =
      page.restMs > 0 ? { startAfter: new Date(clock.now().getTime() + page.restMs) } : {};
    await tenant.jobs.enqueue({ name: "import-orders", shop, orderImportId }, rest);
    return { kind: "page", ...counts };
  });
}

async function holdBack(tenant: Tenant, { id }: OrderImport, now: Date): Promise<"held"> {
  await tenant.orderImports.recordFailure(id, "domain_of_other_store");
  const job = { name: "import-orders", shop: tenant.shop, orderImportId: id } as const;
  await tenant.jobs.enqueue(job, { startAfter: new Date(now.getTime() + DOUBT_MS) });
  return "held";
}

async function readPage(
  { tenancy, storeOrderList }: Pick<Ports, "tenancy" | "storeOrderList">,
  shop: ShopDomain,
  { id, since, until, cursor }: OrderImport,
): Promise<OrderListPage> {
  try {
    return await storeOrderList.page(shop, { since, until, after: cursor });
  } catch (error) {
    // Shown to whoever waits for it.
    const code = error instanceof AppError ? error.code : "unexpected";
    await tenancy.inShop(shop, async ({ orderImports }) => {
      await orderImports.recordFailure(id, code);
      // A cursor that Shopify takes no more is refused for ever, and no other look begins while this one runs.
      if (code === "store_refused" && cursor !== null) await orderImports.leaveCursor(id, cursor);
    });
    throw error;
  }
}
