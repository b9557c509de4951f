import type { Batch, BatchOutcome } from "../kernel/batch.ts";
import { gidNumber, type ShopDomain } from "../kernel/ids.ts";
import type { Environment } from "../shops/connection.ts";
import { csvOf } from "./export-mappings.ts";
import type { Ports } from "./ports.ts";
import { type CountedRun, rowOf, runOf, type StoredRunRow } from "./run.ts";
import type { Tenant } from "./tenant.ts";
import { mayUndoRun } from "./undo-run.ts";

const PAGE = 50;
const PIECE = 1_000;

/** The words of the file, which merchants’ spreadsheets know. */
const REPORT_OUTCOMES: Record<BatchOutcome | "waiting", string> = {
  done: "saved",
  nothing_to_do: "unchanged",
  refused: "refused",
  failed: "failed",
  waiting: "not done",
};

type Which = { shop: ShopDomain; runId: string };

/** One run with what became of its rows so far; null when the shop has none of this id. */
export async function findRun(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, runId }: Which,
): Promise<CountedRun | null> {
  return tenancy.inShop(shop, async (tenant) => counted(tenant, await tenant.batches.find(runId)));
}

/** The run under way in an environment, or the last one; files that were only looked at do not count. */
export async function latestRun(
  tenant: Tenant,
  environment: Environment,
): Promise<CountedRun | null> {
  const only = { plan: { environment } };
  return counted(tenant, await tenant.batches.latest("mapping_change", only));
}

async function counted(tenant: Tenant, batch: Batch | null): Promise<CountedRun | null> {
  if (batch?.kind !== "mapping_change") return null;
  const counts = await tenant.batches.countsOf(batch.id);
  const mayUndo = counts.done > 0 && (await mayUndoRun(tenant, batch));
  return { ...runOf(batch), counts, mayUndo };
}

export interface RunReport {
  run: CountedRun;
  rows: StoredRunRow[];
  /** Positions behind which the next page begins and the one before, or null. */
  next: number | null;
  previous: number | null;
}

/** A run and one page of its rows, perhaps those of one outcome only. */
export async function readRun(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, runId, after, outcome }: Which & { after: number; outcome?: BatchOutcome | "waiting" },
): Promise<RunReport | null> {
  return tenancy.inShop(shop, async (tenant) => {
    const run = await counted(tenant, await tenant.batches.find(runId));
    if (!run) return null;
    const page = { after, limit: PAGE, ...(outcome ? { outcome } : {}) };
    const found = await tenant.batches.items(runId, { ...page, limit: PAGE + 1 });
    const rows = found.slice(0, PAGE).map(rowOf);
    const next = found.length > PAGE ? (rows.at(-1)?.position ?? null) : null;
    const previous = after > 0 ? await tenant.batches.pageBefore(runId, page) : null;
    return { run, rows, next, previous };
  });
}

/** The whole report as CSV text in pieces, each read in a transaction of its own. */
export async function* exportReport(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, runId }: Which,
): AsyncGenerator<string> {
  yield `\ufeff${await csvOf([["line", "variant_id", "product", "was", "becomes", "outcome", "column", "message"]])}`;
  let after = 0;
  for (;;) {
    const from = after;
    const items = await tenancy.inShop(shop, (tenant) =>
      tenant.batches.items(runId, { after: from, limit: PIECE }),
    );
    const rows = items.map(rowOf);
    if (rows.length === 0) return;
    yield await csvOf(
      rows.map((row) => [
        row.line === null ? "" : String(row.line),
        row.variantId ? gidNumber(row.variantId) : "",
        row.label,
        row.was,
        row.becomes,
        REPORT_OUTCOMES[row.outcome ?? "waiting"],
        row.field ?? "",
        row.message ?? "",
      ]),
    );
    after = rows.at(-1)?.position ?? after;
  }
}
