import type { ShopDomain } from "../kernel/ids.ts";
import { gidNumber } from "../kernel/ids.ts";
import { csvOf } from "./export-mappings.ts";
import type { Ports } from "./ports.ts";
import type { CountedRun, RowOutcome, RunRow } from "./run.ts";

const PAGE = 50;
const PIECE = 1_000;

type Which = { shop: ShopDomain; runId: string };

export async function findRun(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, runId }: Which,
): Promise<CountedRun | null> {
  return tenancy.inShop(shop, (tenant) => tenant.mappingRuns.find(runId));
}

export interface RunReport {
  run: CountedRun;
  rows: RunRow[];
  /** Position behind which the next page begins, or null. */
  next: number | null;
}

/** A run and one page of its rows, perhaps those of one outcome only. */
export async function readRun(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, runId, after, outcome }: Which & { after: number; outcome?: RowOutcome | "open" },
): Promise<RunReport | null> {
  return tenancy.inShop(shop, async (tenant) => {
    const run = await tenant.mappingRuns.find(runId);
    if (!run) return null;
    const page = { after, limit: PAGE + 1, ...(outcome ? { outcome } : {}) };
    const found = await tenant.mappingRuns.rows(runId, page);
    const rows = found.slice(0, PAGE);
    return { run, rows, next: found.length > PAGE ? (rows.at(-1)?.position ?? null) : null };
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
    const rows: RunRow[] = await tenancy.inShop(shop, (tenant) =>
      tenant.mappingRuns.rows(runId, { after: from, limit: PIECE }),
    );
    if (rows.length === 0) return;
    yield await csvOf(
      rows.map((row) => [
        row.line === null ? "" : String(row.line),
        row.variantId ? gidNumber(row.variantId) : "",
        row.label,
        row.was,
        row.becomes,
        row.outcome ?? "not done",
        row.field ?? "",
        row.message ?? "",
      ]),
    );
    after = rows.at(-1)?.position ?? after;
  }
}
