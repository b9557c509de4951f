import { randomUUID } from "node:crypto";
import type { ShopDomain } from "../kernel/ids.ts";
import type { Ports } from "./ports.ts";

export type ViewOutcome =
  | { kind: "done"; id: string }
  | { kind: "name_taken" }
  /** Somebody has deleted it meanwhile. */
  | { kind: "gone" }
  /** Nobody finds anything among more. */
  | { kind: "too_many" };

export const MAX_VIEWS = 20;

/** Keeps a selection under a name that the shop does not use yet. */
export async function saveView(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, name, selection }: { shop: ShopDomain; name: string; selection: string },
): Promise<ViewOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    // The second of two at once counts what the first saved: one too many would be shown to nobody.
    await tenant.shops.lockSettings();
    if ((await tenant.views.all()).length >= MAX_VIEWS) return { kind: "too_many" };
    const id = randomUUID();
    const added = await tenant.views.add({ id, name, selection });
    return added ? { kind: "done", id } : { kind: "name_taken" };
  });
}

/** Renames a view, unless another one has the name. */
export async function renameView(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, id, name }: { shop: ShopDomain; id: string; name: string },
): Promise<ViewOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    if (await tenant.views.rename(id, name)) return { kind: "done", id };
    const isThere = (await tenant.views.all()).some((view) => view.id === id);
    return { kind: isThere ? "name_taken" : "gone" };
  });
}

/** Deletes a view. One that is gone already is deleted. */
export async function deleteView(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, id }: { shop: ShopDomain; id: string },
): Promise<ViewOutcome> {
  await tenancy.inShop(shop, (tenant) => tenant.views.remove(id));
  return { kind: "done", id };
}
