import { gidNumber, type ShopDomain, type VariantId } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import type { OrderedItems } from "../referrals/referral-service.ts";
import type { Environment } from "../shops/connection.ts";
import type { Catalogue } from "./catalogue.ts";
import type { Mapping } from "./mapping.ts";
import { isSameName, lookUpNamesIn } from "./mappings/csv/look-up.ts";
import { describeChange, titleOf } from "./mappings/describe-change.ts";
import type { Ports } from "./ports.ts";
import { batchOf, itemOf, type MappingChange, type RunRow } from "./run.ts";
import { MAX_ROWS, newRun } from "./start-run.ts";
import type { ListedVariant } from "./store-variants.ts";

export type PlanCopyOutcome = { kind: "planned"; runId: string } | { kind: "nothing" };

/**
 * Writes down which mappings of one environment the other would get, as a draft that is looked at before it is applied.
 * A product that means something in the other stays as it is. Tests and bundles are found by their ids where they have
 * the same name there, else by their names. Those that the other's catalogue lacks are listed, and not copied.
 * So are variants that the store does not have any more.
 */
export async function planCopy(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, from, to, actor }: { shop: ShopDomain; from: Environment; to: Environment; actor: Actor },
): Promise<PlanCopyOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    const catalogue = await tenant.catalogues.find(to);
    const translate = translator(await tenant.catalogues.find(from), catalogue);
    const ordering = await tenant.mappings.ordering(from, MAX_ROWS);
    const ignored = await tenant.mappings.ignored(from, MAX_ROWS - ordering.length);
    const mapped = [...ordering, ...ignored];
    const chosen = await tenant.mappings.list(to, mapped);
    const left = mapped.filter((id) => !chosen.has(id));
    const meanings = await tenant.mappings.list(from, left);
    const variants = await tenant.storeVariants.some({ environment: to, catalogue }, left);
    const known = new Map(variants.map((one) => [one.id, one]));
    // A deleted one is known where it is mapped still.
    const unknown = left.filter((id) => !known.has(id));
    const deleted = await tenant.storeVariants.some({ environment: from, catalogue }, unknown);
    for (const one of deleted) known.set(one.id, one);
    const rows = left.flatMap((variantId: VariantId): RunRow[] => {
      const variant = known.get(variantId);
      const meaning = meanings.get(variantId);
      if (!meaning) return [];
      if (!variant || variant.isDeleted) return [notInStore(variantId, variant)];
      const { change, missing } = changeFor(meaning, translate);
      return [
        {
          ...{ line: null, field: null, variantId, productId: variant.productId },
          label: titleOf(variant),
          change,
          was: describeChange({ kind: "unmapped" }, catalogue),
          becomes: change ? describeChange(change, catalogue) : "",
          outcome: change ? null : "refused",
          message: change ? null : notThere(missing),
        },
      ];
    });
    if (rows.length === 0) return { kind: "nothing" };
    const made = { environment: to, kind: "copy", state: "draft", at: clock.now(), actor } as const;
    const run = newRun(made);
    await tenant.batches.add(batchOf(run), rows.map(itemOf));
    return { kind: "planned", runId: run.id };
  });
}

/** The change by which the other environment gives a variant the same meaning; null with what its catalogue lacks. */
function changeFor(
  meaning: Mapping,
  translate: ReturnType<typeof translator>,
): { change: MappingChange | null; missing: string[] } {
  if (meaning.kind === "ignored") return { change: { kind: "ignored" }, missing: [] };
  const { items, missing } = translate(meaning.items);
  const { clinicalNotes, preparation } = meaning;
  const change = { kind: "order", items, clinicalNotes, preparation } as const;
  return { change: missing.length > 0 ? null : change, missing };
}

/** The row of a variant that was deleted in the store, or that Pathway has no copy of. */
const notInStore = (variantId: VariantId, variant: ListedVariant | undefined): RunRow => ({
  ...{ line: null, field: null, variantId, productId: variant?.productId ?? null },
  label: variant ? titleOf(variant) : `Variant ${gidNumber(variantId)}`,
  ...{ change: null, was: "", becomes: "", outcome: "refused" },
  message:
    "Your store doesn’t have it any more, so its mapping isn’t copied. You don’t need to do anything.",
});

const notThere = (names: string[]) =>
  `Not in this catalogue by this name, or there more than once: ${names.join(", ")}. Map it by hand.`;

/** Finds what is ordered in another catalogue, and names what that one lacks. */
function translator(from: Catalogue | null, to: Catalogue | null) {
  const tests = finder(from?.tests ?? [], to?.tests ?? []);
  const bundles = finder(from?.bundles ?? [], to?.bundles ?? []);
  return (items: OrderedItems): { items: OrderedItems; missing: string[] } => {
    const missing: string[] = [];
    const all = (ids: string[]) => ids.flatMap((id) => tests(id, missing) ?? []);
    const bundleId = items.bundleId === null ? null : bundles(items.bundleId, missing);
    const found = { bundleId, tests: all(items.tests), medicareTests: all(items.medicareTests) };
    return { items: { ...items, ...found }, missing: [...new Set(missing)] };
  };
}

type Named = { id: string; name: string };

/** Another thing of the same id is another test: the environments are independent (interface §1). */
function finder(known: readonly Named[], there: readonly Named[]) {
  const names = new Map(known.map(({ id, name }) => [id, name]));
  const namesThere = new Map(there.map(({ id, name }) => [id, name]));
  const lookUp = lookUpNamesIn(there);
  return (id: string, missing: string[]): string | null => {
    const nameThere = namesThere.get(id);
    const name = names.get(id) ?? nameThere ?? id;
    if (nameThere !== undefined && isSameName(nameThere, name)) return id;
    const found = lookUp(name);
    if (found.kind === "found") return found.id;
    missing.push(name);
    return null;
  };
}
