import type { ShopDomain } from "../../kernel/ids.ts";
import { applyOrder } from "../../orders/reconcile-order.ts";
import type { Ports } from "../ports.ts";
import type { Rehearsal } from "../rehearsal.ts";
import { SYNTHETIC_MEDICARE_CARD, SYNTHETIC_PATIENT, syntheticOrder } from "./synthetic-order.ts";
import type { Progress } from "./watch-request.ts";

/**
 * Puts the synthetic order through the code that real orders go through, gives its one request a patient, and
 * has it sent. A review that holds orders is passed over: nobody is there to release this one.
 */
export async function orderForRehearsal(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  shop: ShopDomain,
  rehearsal: Rehearsal,
): Promise<Progress> {
  return tenancy.inShop(shop, async (tenant): Promise<Progress> => {
    const settings = await tenant.shops.find();
    const mappings = await tenant.mappings.forVariants("staging", [rehearsal.variantId]);
    const mapping = mappings.get(rehearsal.variantId);
    if (!settings || mapping?.kind !== "order") return { kind: "failed", failure: "not_mapped" };
    const now = clock.now();
    const readAt = await tenant.orders.beginReading();
    await applyOrder(tenant, settings, syntheticOrder(rehearsal, mapping), { readAt, now });
    // There is nobody to ask, and nobody has to be asked.
    await tenant.orders.setAttention(rehearsal.orderId, null);
    const [request] = await tenant.requests.forOrder(rehearsal.orderId);
    if (!request) return { kind: "failed", failure: "not_mapped" };
    const { id: requestId, orderId, items } = request;
    const medicare = items.medicareTests.length > 0 ? SYNTHETIC_MEDICARE_CARD : null;
    if (await tenant.requests.move(requestId, ["awaiting_details"], "ready")) {
      await tenant.requests.savePatient(requestId, { patient: SYNTHETIC_PATIENT, medicare }, now);
      const entry = { actor: "pathway", at: now, orderId, requestId } as const;
      await tenant.timeline.add({ ...entry, kind: "details_given" });
      await tenant.jobs.enqueue({ name: "create-referral", shop, requestId });
    }
    return { kind: "done" };
  });
}
