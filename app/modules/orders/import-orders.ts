import { AppError } from "../../platform/errors.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import type { OrderListPage } from "./listed-order.ts";
import type { OrderImport } from "./order-import.ts";
import type { Ports } from "./ports.ts";

export type ImportOrdersOutcome =
  | { kind: "page"; imported: number; changed: number }
  | { kind: "finished"; imported: number; changed: number }
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
    if ((await tenant.shops.find())?.installed) return found;
    // Coming back begins a new one.
    await tenant.orderImports.cancel(orderImportId, clock.now());
    return null;
  });
  if (!walk) return { kind: "not_due" };
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
    await tenancy.inShop(shop, (tenant) => tenant.orderImports.recordFailure(id, code));
    throw error;
  }
}
