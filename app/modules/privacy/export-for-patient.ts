import { type ExportedFile, exportRecord } from "../access/export-everything.ts";
import type { OrderId, ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import type { Ports } from "./ports.ts";

/**
 * Takes what is held of one test, as far as its patient may see it, because the patient asked the shop for it (security.md,
 * S7). The member of staff stands in the access log, which the owner of the test reads, and in the order's timeline.
 */
export async function exportForPatient(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  asked: {
    shop: ShopDomain;
    orderId: OrderId;
    requestId: string;
    actor: Actor;
    /** The case number of the merchant's own help desk. */
    caseNumber: string | null;
  },
): Promise<AsyncGenerator<ExportedFile> | null> {
  const { shop, orderId, requestId, actor, caseNumber } = asked;
  return tenancy.inShop(shop, async (tenant) => {
    const request = await tenant.requests.find(requestId);
    if (request?.orderId !== orderId) return null;
    const now = clock.now();
    const detail = { caseNumber };
    const told = { kind: "package_opened", actor, at: now, orderId, requestId, detail } as const;
    await tenant.timeline.add(told);
    const by = { who: "staff", actor, what: "data_export_opened" } as const;
    return exportRecord(tenancy, tenant, { requests: [request], by, now });
  });
}
