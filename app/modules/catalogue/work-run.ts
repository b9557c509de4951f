import type { ShopDomain } from "../kernel/ids.ts";
import { isSameMeaning, meaningOf } from "./mappings/same-meaning.ts";
import type { Ports } from "./ports.ts";
import type { DueRow, MappingRun, RunState } from "./run.ts";
import { removeMappingIn, saveMappingIn } from "./save-mapping.ts";
import type { Tenant } from "./tenant.ts";

/** A job that takes longer would be given to another worker. */
const ROWS_PER_JOB = 500;

export type WorkRunOutcome = "done" | "more" | "ended";

/**
 * Does the next rows of a run. A row and its outcome are one transaction, so a worker that dies leaves a run
 * that goes on where it stopped, and nothing is done twice.
 */
export async function workRun(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, runId }: { shop: ShopDomain; runId: string },
): Promise<WorkRunOutcome> {
  for (let done = 0; done < ROWS_PER_JOB; done++) {
    const isLeft = await tenancy.inShop(shop, async (tenant) => {
      const row = await tenant.mappingRuns.takeDue(runId);
      if (row) await workRow(tenant, runId, row, clock.now());
      return row !== null;
    });
    if (!isLeft) return finish({ tenancy, clock }, shop, runId);
  }
  await tenancy.inShop(shop, (tenant) =>
    tenant.jobs.enqueue({ name: "run-mappings", shop, runId }),
  );
  return "more";
}

async function workRow(tenant: Tenant, runId: string, row: DueRow, at: Date): Promise<void> {
  const { position, variantId, productId, change } = row;
  const run = await tenant.mappingRuns.find(runId);
  if (!run) return;
  const settle = (outcome: "saved" | "unchanged" | "refused", message: string | null = null) =>
    tenant.mappingRuns.settle(runId, position, outcome, message);
  const { environment } = run;
  const [stored = null] = (await tenant.mappings.list(environment, [variantId])).values();
  if (isSameMeaning(meaningOf(stored), change)) return settle("unchanged");
  const place = { environment, variantId, productId };
  if (change.kind === "unmapped") {
    await removeMappingIn(tenant, place);
    return settle("saved");
  }
  // Planned long ago, perhaps: who orders is whoever has the number in the registry now.
  const by = { actor: "pathway", at, isPractitionerChosen: true } as const;
  const outcome = await saveMappingIn(tenant, { ...place, ...change }, by);
  return outcome.kind === "saved" ? settle("saved") : settle("refused", outcome.message);
}

async function finish(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  shop: ShopDomain,
  runId: string,
): Promise<WorkRunOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    const run = await tenant.mappingRuns.find(runId);
    // Rows that another worker holds are left: that worker ends the run.
    if (run?.state !== "running" || run.counts.open > 0) return "ended";
    await tenant.mappingRuns.move(runId, ["running"], "done", clock.now());
    return "done";
  });
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
  {
    shop,
    runId,
    from,
    to,
  }: { shop: ShopDomain; runId: string; from: RunState[]; to: MappingRun["state"] },
): Promise<"moved" | "not_possible"> {
  return tenancy.inShop(shop, async (tenant) => {
    if (!(await tenant.mappingRuns.move(runId, from, to, clock.now()))) return "not_possible";
    if (to === "running") await tenant.jobs.enqueue({ name: "run-mappings", shop, runId });
    return "moved";
  });
}
