import type { Batch, BatchState } from "../kernel/batch.ts";
import { gid, type ShopDomain } from "../kernel/ids.ts";
import type { BatchHandler } from "../kernel/work-batch.ts";
import type { MappingPlace } from "./mapping-change.ts";
import { isSameMeaning, meaningOf } from "./mappings/same-meaning.ts";
import type { Ports } from "./ports.ts";
import { changeOf, runOf } from "./run.ts";
import { removeMappingIn, saveMappingIn } from "./save-mapping.ts";
import type { Tenant } from "./tenant.ts";
import type { PlaceUndone } from "./undo-mapping.ts";
import { undoRow } from "./undo-run.ts";
import { describePlace } from "./undo-words.ts";

const MAPPED_MEANWHILE = "Somebody mapped it meanwhile. It stays as they mapped it.";
const OF_THE_WHOLE =
  "It means what its whole product means. Say “not a test”, or change the product’s mapping.";

/** Changes mappings, one variant at a time, by the same rules as a single save. */
export const mappingChanges: BatchHandler<Tenant, Pick<Ports, "clock">> = {
  atOnce: 500,
  async work({ clock }, { tenant, batch, item }) {
    const variantId = gid("ProductVariant", item.subject);
    if (batch.action === "undo") return undoRow(tenant, { batch, variantId, at: clock.now() });
    const wanted = changeOf(item);
    if (!wanted) return { outcome: "refused" };
    const { change, productId } = wanted;
    const { environment, kind } = runOf(batch);
    // Nobody changes it between this look and the save.
    await tenant.mappings.holdStill();
    const [stored = null] = (await tenant.mappings.list(environment, [variantId])).values();
    if (isSameMeaning(meaningOf(stored), change)) return { outcome: "nothing_to_do" };
    if (kind === "copy" && stored) return { outcome: "refused", message: MAPPED_MEANWHILE };
    const place = { environment, variantId, productId };
    const changed = await changedSince(tenant, place, batch);
    if (changed) return { outcome: "refused", message: describePlace(changed) };
    const made = { actor: batch.actor, at: clock.now(), changeId: batch.id };
    if (change.kind === "unmapped") {
      if (stored?.variantId === null) return { outcome: "refused", message: OF_THE_WHOLE };
      await removeMappingIn(tenant, place, made);
      return { outcome: "done" };
    }
    // Planned long ago, perhaps: who orders is whoever has the number in the registry now.
    const by = { ...made, isPractitionerChosen: true };
    const saved = await saveMappingIn(tenant, { ...place, ...change }, by);
    return saved.kind === "saved"
      ? { outcome: "done" }
      : { outcome: "refused", message: saved.message };
  },
};

/**
 * Who changed a variant's mapping, or its whole product's, after a run was planned: what the run would replace is not what
 * its maker saw. Null when nobody did.
 */
async function changedSince(
  tenant: Tenant,
  place: MappingPlace,
  { id, createdAt }: Batch,
): Promise<PlaceUndone | null> {
  const [last] = await tenant.mappingChanges.history(place, 1);
  if (!last || last.changeId === id || last.at <= createdAt) return null;
  const by = await tenant.staff.find(last.actor);
  return { kind: "changed_since", by: by?.name ?? null };
}

/** Ends a run: what is done stays, the rest is left as it was. */
export function cancelRun(
  ports: Pick<Ports, "tenancy" | "clock">,
  which: { shop: ShopDomain; runId: string },
): Promise<"moved" | "not_possible"> {
  return moveRun(ports, { ...which, from: ["running", "draft"], to: "cancelled" });
}

/** Applies a file that was only looked at so far. */
export async function applyRun(
  ports: Pick<Ports, "tenancy" | "clock">,
  which: { shop: ShopDomain; runId: string },
): Promise<"moved" | "not_possible"> {
  return moveRun(ports, { ...which, from: ["draft"], to: "running" });
}

async function moveRun(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  move: { shop: ShopDomain; runId: string; from: BatchState[]; to: BatchState },
): Promise<"moved" | "not_possible"> {
  const { shop, runId: batchId, from, to } = move;
  return tenancy.inShop(shop, async (tenant) => {
    const batch = await tenant.batches.find(batchId);
    if (batch?.kind !== "mapping_change") return "not_possible";
    if (!(await tenant.batches.move(batchId, from, to, clock.now()))) return "not_possible";
    if (to === "running") await tenant.jobs.enqueue({ name: "work-batch", shop, batchId });
    return "moved";
  });
}
