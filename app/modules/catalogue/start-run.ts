import { randomUUID } from "node:crypto";
import type { ShopDomain, VariantId } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import { SERVICE_CURRENCY } from "../shops/shop.ts";
import { costOf } from "./cost.ts";
import { describeLoss } from "./mapping-words.ts";
import { describeChange, titleOf } from "./mappings/describe-change.ts";
import { isSameMeaning, meaningOf } from "./mappings/same-meaning.ts";
import type { Ports } from "./ports.ts";
import {
  batchOf,
  itemOf,
  type MappingChange,
  type MappingRun,
  type RunKind,
  type RunRow,
} from "./run.ts";
import { faultIn } from "./save-mapping.ts";
import type { ListedVariant, VariantFilter } from "./store-variants.ts";
import { createSuggester, itemsOf } from "./suggest.ts";
import type { Tenant } from "./tenant.ts";

/** More in one run would keep the page's request too long. */
export const MAX_ROWS = 20_000;
const PAGE = 1_000;

/** The variants of a run: the ticked ones, or all that match the list's filter. */
export type RunScope =
  | { kind: "chosen"; ids: VariantId[] }
  | { kind: "matching"; filter: Pick<VariantFilter, "state" | "search"> };

/** The wish for them. */
export type RunWish =
  | { kind: "map"; change: MappingChange }
  | { kind: "ignore" }
  | { kind: "suggest" };

export type StartRunOutcome =
  /** `leftOut`: rows whose suggestion costs more than its variant is sold for. Those are not changed. */
  | { kind: "started"; runId: string; rows: number; leftOut: number }
  /** Another run of the shop has not ended. */
  | { kind: "busy" }
  | { kind: "nothing" }
  | { kind: "too_many"; limit: number }
  | { kind: "invalid"; message: string };

/**
 * Plans a change of many mappings and leaves it to a job. Nothing has changed when this returns. A suggestion that costs
 * more than its variant's price is in the report, and is never accepted among many.
 */
export async function startRun(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  {
    shop,
    scope,
    wish,
    environment,
    actor,
  }: {
    shop: ShopDomain;
    scope: RunScope;
    wish: RunWish;
    environment: MappingRun["environment"];
    actor: Actor;
  },
): Promise<StartRunOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    const catalogue = await tenant.catalogues.find(environment);
    const currency = (await tenant.shops.find())?.currency ?? SERVICE_CURRENCY;
    if (wish.kind === "map" && wish.change.kind === "order") {
      const message = faultIn(wish.change, catalogue);
      if (message) return { kind: "invalid", message };
    }
    const variants = await variantsOf(tenant, scope, { environment, catalogue });
    if (variants.length > MAX_ROWS) return { kind: "too_many", limit: MAX_ROWS };
    const suggest = createSuggester(catalogue ?? { tests: [], bundles: [] });
    const change = (variant: ListedVariant): MappingChange | null => {
      if (wish.kind === "map") return wish.change;
      if (wish.kind === "ignore") return { kind: "ignored" };
      if (variant.state !== "unmapped") return null;
      const suggestion = suggest(variant);
      return suggestion?.kind === "one"
        ? { kind: "order", items: itemsOf(suggestion.candidate) }
        : null;
    };
    const rows = variants.flatMap((variant) => {
      const to = change(variant);
      if (!to || variant.isDeleted) return [];
      const row = changeRow(variant, to, catalogue);
      return [wish.kind === "suggest" ? withoutLoss(row, { variant, catalogue, currency }) : row];
    });
    if (rows.length === 0) return { kind: "nothing" };
    const kinds = { map: "map", ignore: "ignore", suggest: "suggest" } as const;
    const kind = kinds[wish.kind];
    const run = newRun({ environment, kind, state: "running", at: clock.now(), actor });
    if (!(await tenant.batches.add(batchOf(run), rows.map(itemOf)))) return { kind: "busy" };
    await tenant.jobs.enqueue({ name: "work-batch", shop, batchId: run.id });
    const leftOut = rows.filter(({ outcome }) => outcome === "refused").length;
    return { kind: "started", runId: run.id, rows: rows.length - leftOut, leftOut };
  });
}

/** A run that is about to be stored, under a new id. */
export function newRun(made: {
  environment: MappingRun["environment"];
  kind: RunKind;
  state: MappingRun["state"];
  at: Date;
  actor: Actor;
  fileName?: string;
}): MappingRun {
  const { at: createdAt, fileName = null, ...run } = made;
  return { ...run, id: randomUUID(), fileName, createdAt, finishedAt: null, undoes: null };
}

function changeRow(
  variant: ListedVariant,
  change: MappingChange,
  catalogue: VariantFilter["catalogue"],
): RunRow {
  const was = meaningOf(variant.mapping);
  return {
    line: null,
    variantId: variant.id,
    productId: variant.productId,
    label: titleOf(variant),
    change,
    was: describeChange(was, catalogue),
    becomes: describeChange(change, catalogue),
    field: null,
    outcome: isSameMeaning(was, change) ? "nothing_to_do" : null,
    message: null,
  };
}

/** Leaves a suggestion out that is dearer than what it is sold for: a person accepts it by itself, or none does. */
function withoutLoss(
  row: RunRow,
  {
    variant,
    catalogue,
    currency,
  }: Pick<VariantFilter, "catalogue"> & { variant: ListedVariant; currency: string },
): RunRow {
  if (row.change?.kind !== "order" || !catalogue) return row;
  const warning = describeLoss(
    { cents: variant.priceCents, currency },
    costOf(row.change.items, catalogue),
  );
  if (warning === null) return row;
  const message = `${warning} Accept it by itself in the list if you mean it.`;
  return { ...row, outcome: "refused", message };
}

/** The variants of a scope, at most one more than a run may have. */
async function variantsOf(
  tenant: Tenant,
  scope: RunScope,
  place: Pick<VariantFilter, "environment" | "catalogue">,
): Promise<ListedVariant[]> {
  if (scope.kind === "chosen") return tenant.storeVariants.some(place, scope.ids);
  const found: ListedVariant[] = [];
  for await (const page of pagesOf(tenant, { ...place, ...scope.filter })) {
    found.push(...page);
    if (found.length > MAX_ROWS) break;
  }
  return found;
}

/** Everything that matches, page after page, inside one transaction. */
async function* pagesOf(tenant: Tenant, filter: VariantFilter) {
  let after: VariantId | undefined;
  do {
    const place = after ? { after } : null;
    const page = await tenant.storeVariants.page(filter, place, PAGE);
    yield page.variants;
    after = page.hasNext ? page.variants.at(-1)?.id : undefined;
  } while (after);
}
