import { randomUUID } from "node:crypto";
import type { ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import type { MappingChanged } from "./mapping-change.ts";
import type { Ports } from "./ports.ts";
import { reconcileIgnoredIn, reconcileWaitingIn } from "./reconcile-waiting.ts";
import { recordChange } from "./record-change.ts";
import type { Tenant } from "./tenant.ts";

/** What became of one place of a change that is undone. */
export type PlaceUndone =
  /**
   * It means again what it meant before. `ordersUsed`: orders whose units were opened by the mapping that is undone; they
   * stay as they are. `ordersReread`: orders that it kept from being handled, and that are read again.
   */
  | { kind: "restored"; ordersUsed: number; ordersReread: number }
  | { kind: "restored_before" }
  /** Somebody changed it since, by name where it is known. It stays as they left it. */
  | { kind: "changed_since"; by: string | null }
  /** Nobody in the registry has the number of the practitioner whom it named. It stays as it is. */
  | { kind: "practitioner_gone"; providerNumber: string };

export type UndoMappingOutcome =
  | { kind: "undone"; places: PlaceUndone[] }
  /** Changes are kept for 90 days. */
  | { kind: "unknown" };

/**
 * Puts back what a save or a removal changed, as it was: for each product or variant, and only where nobody changed it
 * since. Nothing that was ordered meanwhile is recalled, and nothing is sent again. Doing it twice changes nothing.
 */
export async function undoMapping(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, actor, changeId }: { shop: ShopDomain; actor: Actor; changeId: string },
): Promise<UndoMappingOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    const changes = await tenant.mappingChanges.of(changeId);
    if (changes.length === 0) return { kind: "unknown" };
    const by = { undoId: randomUUID(), actor, at: clock.now() };
    const places: PlaceUndone[] = [];
    for (const change of changes) places.push(await undoPlace(tenant, change, by));
    return { kind: "undone", places };
  });
}

/** Puts one place back, inside a transaction that does more. */
export async function undoPlace(
  tenant: Tenant,
  change: MappingChanged,
  { undoId, actor, at }: { undoId: string; actor: Actor; at: Date },
): Promise<PlaceUndone> {
  const { changeId, environment, productId, variantId, before, became } = change;
  const place = { environment, productId, variantId };
  // A second press, or a save at the same moment, comes before or after.
  await tenant.mappings.holdStill();
  const latest = await tenant.mappingChanges.latestOf(place);
  if (latest?.undoes === changeId) return { kind: "restored_before" };
  if (latest?.changeId !== changeId)
    return { kind: "changed_since", by: await nameOf(tenant, latest?.actor ?? null) };
  const practitioner = before?.kind === "order" ? before.items.practitioner : null;
  if (practitioner && !(await tenant.practitioners.find(practitioner.providerNumber)))
    return { kind: "practitioner_gone", providerNumber: practitioner.providerNumber };
  const sold = variantId ?? productId;
  const ordersUsed =
    became === "order" ? await tenant.orders.countOpened(sold, { environment, at: change.at }) : 0;
  await recordChange(tenant, place, {
    by: { changeId: undoId, actor, at, undoes: changeId },
    change: () =>
      before ? tenant.mappings.save({ ...place, ...before }) : tenant.mappings.remove(place),
  });
  await tenant.jobs.enqueue({ name: "publish-product", shop: tenant.shop, productId });
  const ordersReread = await rereadOrders(tenant, change);
  return { kind: "restored", ordersUsed, ordersReread };
}

/**
 * Has the orders read again that a mapping which was undone kept from being handled: they came in while there was none, or
 * were taken for no test. Returns how many.
 */
async function rereadOrders(
  tenant: Tenant,
  { productId, variantId, before, became, at }: MappingChanged,
): Promise<number> {
  const sold = variantId ?? productId;
  let count = 0;
  if (before) {
    count += await tenant.orders.countUnmapped(sold);
    await reconcileWaitingIn(tenant, { sold, after: null });
  }
  if (became === "ignored") count += await reconcileIgnoredIn(tenant, sold, at);
  return count;
}

async function nameOf(tenant: Tenant, actor: Actor | null): Promise<string | null> {
  return actor && ((await tenant.staff.find(actor))?.name ?? null);
}
