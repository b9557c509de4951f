import { randomUUID } from "node:crypto";
import { gid, type ShopDomain, type VariantId } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import type { Ports } from "./ports.ts";
import { STEP_LIMIT_MS } from "./rehearsal.ts";
import type { Tenant } from "./tenant.ts";

const GRACE_MS = 60_000;

export type StartRehearsalOutcome =
  | { kind: "started"; rehearsalId: string }
  | { kind: "already_running" }
  /** The variant has no mapping to an order in staging. */
  | { kind: "not_mapped" };

/**
 * Begins a rehearsal for a variant that is mapped in staging. The work is done by jobs, so that it goes on
 * when the page is closed; see advance-rehearsal.ts.
 */
export async function startRehearsal(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  wish: { shop: ShopDomain; variantId: VariantId; title: string; actor: Actor },
): Promise<StartRehearsalOutcome> {
  const { shop, variantId, title, actor } = wish;
  return tenancy.inShop(shop, async (tenant) => {
    const mapping = (await tenant.mappings.forVariants("staging", [variantId])).get(variantId);
    if (mapping?.kind !== "order") return { kind: "not_mapped" };
    const startedAt = clock.now();
    const id = randomUUID();
    const orderId = madeUpOrderId(startedAt);
    const begun = { id, variantId, title, orderId, startedAt, startedBy: actor };
    await endForgotten(tenant, startedAt);
    if (!(await tenant.rehearsals.begin(begun))) return { kind: "already_running" };
    await tenant.jobs.enqueue({ name: "advance-rehearsal", shop, rehearsalId: id });
    return { kind: "started", rehearsalId: id };
  });
}

/** Whoever takes a rehearsal further ends one that is stuck; well past that its job is lost. */
async function endForgotten(tenant: Tenant, at: Date): Promise<void> {
  const [last] = await tenant.rehearsals.latest(1);
  if (!last || at.getTime() - last.stepSince.getTime() <= STEP_LIMIT_MS + GRACE_MS) return;
  const failure = `stuck:${last.step}`;
  await tenant.rehearsals.finish(last.id, { at, failure, heardEvents: last.heardEvents });
}

/** Shopify counts its orders in 13 digits; microseconds since 1970 have 16, so none is ever hit. */
const madeUpOrderId = (at: Date) => gid("Order", at.getTime() * 1000);
