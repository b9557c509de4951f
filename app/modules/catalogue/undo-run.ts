import type { Batch, BatchResult } from "../kernel/batch.ts";
import { hasEnded } from "../kernel/batch.ts";
import type { ShopDomain, VariantId } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import type { Ports } from "./ports.ts";
import { batchOf, itemOf, type RunRow, rowOf, runOf } from "./run.ts";
import { newRun } from "./start-run.ts";
import type { Tenant } from "./tenant.ts";
import { undoPlace } from "./undo-mapping.ts";
import { describePlace } from "./undo-words.ts";

export type UndoRunOutcome =
  | { kind: "started"; runId: string }
  /** It was undone before, or changed nothing that is still known. */
  | { kind: "nothing" }
  /** Another run of the shop has not ended. */
  | { kind: "busy" };

const PAGE = 1_000;

/**
 * Plans the undo of every change that a run made, and leaves it to a job: the same rules as for one (`undoMapping`), variant
 * by variant. A run is undone once.
 */
export async function undoRun(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, actor, runId }: { shop: ShopDomain; actor: Actor; runId: string },
): Promise<UndoRunOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    const batch = await tenant.batches.find(runId);
    if (!batch || !(await mayUndoRun(tenant, batch))) return { kind: "nothing" };
    const { environment, fileName } = runOf(batch);
    const made = { environment, kind: "undo", state: "running", at: clock.now(), actor } as const;
    const run = { ...newRun({ ...made, ...(fileName ? { fileName } : {}) }), undoes: runId };
    const rows = await doneRows(tenant, runId);
    if (!(await tenant.batches.add(batchOf(run), rows.map(itemOf)))) return { kind: "busy" };
    await tenant.jobs.enqueue({ name: "work-batch", shop, batchId: run.id });
    return { kind: "started", runId: run.id };
  });
}

/** Whether a run has ended, changed something, and was not undone yet. */
export async function mayUndoRun(
  tenant: Pick<Tenant, "batches" | "mappingChanges">,
  batch: Batch,
): Promise<boolean> {
  if (batch.kind !== "mapping_change" || !hasEnded(batch) || batch.action === "undo") return false;
  const undo = await tenant.batches.latest("mapping_change", { plan: { undoes: batch.id } });
  if (undo && undo.state !== "cancelled") return false;
  return (await tenant.mappingChanges.of(batch.id, { limit: 1 })).length > 0;
}

/** The changes of a run that were made, the other way round. */
async function doneRows(tenant: Tenant, runId: string): Promise<RunRow[]> {
  const rows: RunRow[] = [];
  for (let after = 0; ; ) {
    const page = await tenant.batches.items(runId, { after, limit: PAGE, outcome: "done" });
    for (const { was, becomes, ...row } of page.map(rowOf))
      rows.push({
        ...{ ...row, was: becomes, becomes: was, change: null },
        ...{ field: null, outcome: null, message: null },
      });
    const last = page[PAGE - 1];
    if (!last) return rows;
    after = last.position;
  }
}

/** Undoes what a run did to one variant. */
export async function undoRow(
  tenant: Tenant,
  { batch, variantId, at }: { batch: Batch; variantId: VariantId; at: Date },
): Promise<BatchResult> {
  const { undoes } = runOf(batch);
  const [change] = undoes ? await tenant.mappingChanges.of(undoes, { sold: variantId }) : [];
  if (!change) return { outcome: "nothing_to_do" };
  const place = await undoPlace(tenant, change, { undoId: batch.id, actor: batch.actor, at });
  const message = describePlace(place);
  switch (place.kind) {
    case "restored":
      return { outcome: "done", message };
    case "restored_before":
      return { outcome: "nothing_to_do" };
    default:
      return { outcome: "refused", message };
  }
}
