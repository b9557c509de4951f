import { randomUUID } from "node:crypto";
import { gid, type ShopDomain, type VariantId } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import type { Ports } from "./ports.ts";
import { STEP_LIMIT_MS } from "./simulation.ts";
import type { Tenant } from "./tenant.ts";

const GRACE_MS = 60_000;

export type StartSimulationOutcome =
  | { kind: "started"; simulationId: string }
  | { kind: "already_running" }
  /** The variant has no mapping to an order in staging. */
  | { kind: "not_mapped" };

/**
 * Begins a simulation for a variant that is mapped in staging. The work is done by jobs, so that it goes on
 * when the page is closed; see advance-simulation.ts.
 */
export async function startSimulation(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  wish: { shop: ShopDomain; variantId: VariantId; title: string; actor: Actor },
): Promise<StartSimulationOutcome> {
  const { shop, variantId, title, actor } = wish;
  return tenancy.inShop(shop, async (tenant) => {
    const mapping = (await tenant.mappings.forVariants("staging", [variantId])).get(variantId);
    if (mapping?.kind !== "order") return { kind: "not_mapped" };
    const startedAt = clock.now();
    const id = randomUUID();
    const orderId = madeUpOrderId(startedAt);
    const begun = { id, variantId, title, orderId, startedAt, startedBy: actor };
    await endForgotten(tenant, startedAt);
    if (!(await tenant.simulations.begin(begun))) return { kind: "already_running" };
    await tenant.jobs.enqueue({ name: "advance-simulation", shop, simulationId: id });
    return { kind: "started", simulationId: id };
  });
}

/** The next turn of a simulation ends a stuck one. Well past that time its job is lost. */
async function endForgotten(tenant: Tenant, at: Date): Promise<void> {
  const [last] = await tenant.simulations.latest(1);
  if (!last || at.getTime() - last.stepSince.getTime() <= STEP_LIMIT_MS + GRACE_MS) return;
  const failure = `stuck:${last.step}`;
  await tenant.simulations.finish(last.id, { at, failure, heardEvents: last.heardEvents });
}

/** Shopify counts its orders in 13 digits; microseconds since 1970 have 16, so none is ever hit. */
const madeUpOrderId = (at: Date) => gid("Order", at.getTime() * 1000);
