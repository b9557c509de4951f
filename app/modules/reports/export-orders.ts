import type { ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import { type NotAllowed, refuseUnlessAllowed } from "../shops/may-do.ts";
import type { ExportedRequest } from "./exported-request.ts";
import type { OrderSelection } from "./order-selection.ts";
import type { Ports } from "./ports.ts";

const PAGE_SIZE = 500;

/**
 * Notes that somebody takes the orders of a selection along as a file. Null when their role lets them; the export itself
 * comes after it.
 */
export async function startExport(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, actor }: { shop: ShopDomain; actor: Actor },
): Promise<NotAllowed | null> {
  return tenancy.inShop(shop, async (tenant) => {
    const at = clock.now();
    const refused = await refuseUnlessAllowed(tenant, actor, "export_data", { at });
    if (!refused) await tenant.accessLog.add({ at, who: "staff", actor, what: "orders_exported" });
    return refused;
  });
}

/**
 * Every request of the orders of a selection, page by page: each page is a short transaction of its own, so an export
 * of any length holds neither memory nor a connection. Orders that change meanwhile may be missing or be there as
 * they were.
 */
export async function* exportOrders(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, selection }: { shop: ShopDomain; selection: OrderSelection },
): AsyncGenerator<ExportedRequest[]> {
  let after: string | null = null;
  do {
    const start: { after: string } | null = after ? { after } : null;
    const page = await tenancy.inShop(shop, async (tenant) => {
      const { orders, next } = await tenant.overview.orderPage({
        ...selection,
        start,
        size: PAGE_SIZE,
      });
      const rows = await tenant.overview.exportRows(orders.map((order) => order.orderId));
      return { rows, next };
    });
    yield page.rows;
    after = page.next;
  } while (after);
}
