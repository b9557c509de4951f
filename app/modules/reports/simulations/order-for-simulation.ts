import type { ShopDomain } from "../../kernel/ids.ts";
import { applyOrder } from "../../orders/reconcile-order.ts";
import { apply } from "../../referrals/apply.ts";
import type { Ports } from "../ports.ts";
import type { Simulation } from "../simulation.ts";
import { SYNTHETIC_MEDICARE_CARD, SYNTHETIC_PATIENT, syntheticOrder } from "./synthetic-order.ts";
import type { Progress } from "./watch-request.ts";

/**
 * Puts the synthetic order through the code that real orders go through, gives its one request a patient, and
 * has it sent. A review that holds orders is passed over: nobody is there to release this one.
 */
export async function orderForSimulation(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  shop: ShopDomain,
  simulation: Simulation,
): Promise<Progress> {
  return tenancy.inShop(shop, async (tenant): Promise<Progress> => {
    const settings = await tenant.shops.find();
    const mappings = await tenant.mappings.forVariants("staging", [simulation.variantId]);
    const mapping = mappings.get(simulation.variantId);
    if (!settings || mapping?.kind !== "order") return { kind: "failed", failure: "not_mapped" };
    const now = clock.now();
    const readAt = await tenant.orders.beginReading();
    await applyOrder(tenant, settings, syntheticOrder(simulation, mapping), { readAt, now });
    // There is nobody to ask, and nobody has to be asked.
    await tenant.orders.setAttention(simulation.orderId, []);
    const [request] = await tenant.requests.forOrder(simulation.orderId);
    if (!request) return { kind: "failed", failure: "not_mapped" };
    const { id, items } = request;
    if (request.state !== "awaiting_details") return { kind: "done" };
    const medicare = items.medicareTests.length > 0 ? SYNTHETIC_MEDICARE_CARD : null;
    const event = { kind: "details_given", isHeldByShop: false } as const;
    const patient = { patient: SYNTHETIC_PATIENT, medicare };
    await apply(tenant, id, event, { actor: "pathway", at: now, patient });
    return { kind: "done" };
  });
}
