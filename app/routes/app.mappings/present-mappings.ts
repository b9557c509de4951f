import { costOf } from "../../modules/catalogue/cost.ts";
import {
  describeCounts,
  describeProgress,
  RUN_STATES,
  RUN_TITLES,
} from "../../modules/catalogue/mapping-run-words.ts";
import { UNMAPPED_VERSION } from "../../modules/catalogue/mapping-version.ts";
import {
  describeCost,
  describeLoss,
  describeMapping,
  describeMargin,
  describeOrigin,
  describePublishFailure,
  isComparable,
  money,
  NAMELESS_PRODUCT,
  SUGGESTION_REASONS,
  VARIANT_STATE_WORDS,
} from "../../modules/catalogue/mapping-words.ts";
import { describePractitionerFault } from "../../modules/catalogue/practitioner-words.ts";
import type { CountedRun } from "../../modules/catalogue/run.ts";
import { itemsOf } from "../../modules/catalogue/suggest.ts";
import { gidNumber } from "../../modules/kernel/ids.ts";
import type { OrderedItems } from "../../modules/referrals/referral-service.ts";
import type { MappedVariant, MappingsOverview } from "../../modules/reports/read-mappings.ts";

export type VariantView = ReturnType<typeof presentVariant>;
export type MappingsView = ReturnType<typeof presentMappings>;
export type RunView = ReturnType<typeof presentRun>;

/** The mapping page, in words and sums. */
export function presentMappings(overview: MappingsOverview) {
  const { environment, environments, catalogue, hasNext, hasPrevious, counts } = overview;
  const { variants, freshness, run, publishFailure } = overview;
  return {
    environment,
    environments,
    hasCatalogue: catalogue !== null,
    /** When prices and what can be ordered were listed last. */
    catalogueAt: catalogue?.fetchedAt.toISOString() ?? null,
    hasNext,
    hasPrevious,
    counts,
    copies: overview.copies,
    first: variants[0] ? gidNumber(variants[0].id) : null,
    last: variants.length > 0 ? gidNumber(variants.at(-1)?.id ?? "") : null,
    freshness: freshness.kind,
    staleSince: freshness.kind === "stale" ? (freshness.at?.toISOString() ?? null) : null,
    run: run && presentRun(run),
    publishFailure: publishFailure && describePublishFailure(publishFailure),
    bundles: (catalogue?.bundles ?? [])
      .map(({ id, name, tests }) => ({ id, name, tests }))
      .sort((a, b) => a.name.localeCompare(b.name)),
    tests: (catalogue?.tests ?? [])
      .map(({ id, name, shortName, priceCents }) => ({ id, name, shortName, priceCents }))
      .sort((a, b) => a.name.localeCompare(b.name)),
    variants: variants.map((one) => presentVariant(one, overview)),
    unmappedSales: overview.unmappedSales.map(({ variantId, title, orders }) => ({
      number: gidNumber(variantId),
      title,
      orders,
    })),
  };
}

export function presentRun(run: CountedRun) {
  const { id, environment, kind, state, counts, fileName, mayUndo } = run;
  const createdAt = run.createdAt.toISOString();
  return {
    ...{ id, environment, kind, state, counts, fileName, createdAt, mayUndo },
    // Written here: the page's own code is heavy enough (P9).
    title: RUN_TITLES[kind],
    standing: RUN_STATES[state],
    told: state === "running" ? describeProgress(counts) : describeCounts(counts, run),
  };
}

/** A proposal that one click accepts: the words for it, and the form that is then sent. */
export interface Proposal {
  text: string;
  button: string;
  form: Record<string, string>;
}

function presentVariant(
  one: MappedVariant,
  overview: Pick<MappingsOverview, "catalogue" | "environment" | "currency">,
) {
  const { id, productTitle, variantTitle, sku, priceCents, state, mapping, missing, cost } = one;
  const price = { cents: priceCents, currency: overview.currency };
  return {
    number: gidNumber(id),
    productTitle: productTitle || NAMELESS_PRODUCT,
    variantTitle,
    sku,
    state,
    stateName: VARIANT_STATE_WORDS[state].name,
    tone: VARIANT_STATE_WORDS[state].tone,
    mapsTo: describeMapping(mapping, overview.catalogue),
    origin: describeOrigin(one),
    troubles: troublesOf(one),
    proposals: proposalsOf(one, overview),
    /** Whether there was anything to suggest from. */
    isSearched: overview.catalogue !== null,
    missing,
    price: one.isDeleted ? null : money(price),
    cost: cost && describeCost(cost),
    margin: cost && !one.isDeleted ? describeMargin(price, cost.cents) : null,
    isLoss: cost !== null && isComparable(price) && cost.cents > priceCents,
  };
}

function troublesOf({ isDeleted, missing, practitionerFault, mapping }: MappedVariant): string[] {
  if (mapping?.kind !== "order") return [];
  return [
    ...(isDeleted ? ["Your store doesn’t have this product any more"] : []),
    ...(missing.length > 0
      ? [
          `${missing.length === 1 ? "1 item is" : `${missing.length} items are`} gone from the catalogue: ${missing.join(", ")}`,
        ]
      : []),
    ...(practitionerFault ? [describePractitionerFault(practitionerFault).sentence] : []),
  ];
}

/** Returns the one-click proposals, best first. */
function proposalsOf(
  variant: MappedVariant,
  {
    environment,
    catalogue,
    currency,
  }: Pick<MappingsOverview, "catalogue" | "environment" | "currency">,
): Proposal[] {
  const { suggestion, copyOf, missing, mapping, state, priceCents } = variant;
  const warn = (items: OrderedItems) =>
    (catalogue && describeLoss({ cents: priceCents, currency }, costOf(items, catalogue))) ?? "";
  const form = (items: OrderedItems) => formOf(variant, environment, items);
  const proposals: Proposal[] = [];
  if (copyOf?.mapping.kind === "order")
    proposals.push({
      text: [`Looks like a copy of ${copyOf.title}.`, warn(copyOf.mapping.items)].join(" ").trim(),
      button: "Copy its mapping",
      form: form(copyOf.mapping.items),
    });
  if (state === "broken" && mapping?.kind === "order" && missing.length > 0) {
    const kept = withoutGone(mapping.items, missing);
    if (kept)
      proposals.push({
        text: "The rest can still be ordered",
        button: "Drop what has gone",
        form: form(kept),
      });
  }
  const candidates =
    suggestion?.kind === "one" ? [suggestion.candidate] : (suggestion?.candidates ?? []);
  const verb = state === "broken" ? "Re-map" : "Accept";
  for (const candidate of candidates) {
    const what = `${candidate.name} (${candidate.kind})`;
    const items = itemsOf(candidate);
    const because = [`(${SUGGESTION_REASONS[candidate.reason]}).`, warn(items)].join(" ").trim();
    proposals.push(
      candidates.length === 1
        ? { text: `Suggested: ${what} ${because}`, button: verb, form: form(items) }
        : { text: `Could be ${what} ${because}`, button: "Choose", form: form(items) },
    );
  }
  return proposals;
}

/** Returns an order without what the catalogue lacks; null when nothing is left. */
function withoutGone(items: OrderedItems, missing: string[]): OrderedItems | null {
  const isThere = (id: string) => !missing.includes(id);
  const medicareTests = items.medicareTests.filter(isThere);
  const left = {
    bundleId: items.bundleId && isThere(items.bundleId) ? items.bundleId : null,
    tests: items.tests.filter(isThere),
    medicareTests,
    practitioner: medicareTests.length > 0 ? items.practitioner : null,
  };
  return left.bundleId || left.tests.length + medicareTests.length > 0 ? left : null;
}

/** The mapping's own form, filled in; who orders is somebody of the registry. */
function formOf(
  { id, productId, mapping }: MappedVariant,
  environment: string,
  { bundleId, tests, medicareTests, practitioner }: OrderedItems,
): Record<string, string> {
  return {
    intent: "save",
    environment,
    variantId: id,
    productId,
    // A proposal for an inherited mapping is one for all variants that inherit it.
    scope: mapping?.variantId === null ? "product" : "variant",
    kind: "order",
    bundleId: bundleId ?? "",
    tests: tests.join(","),
    medicareTests: medicareTests.join(","),
    practitionerProviderNumber: practitioner?.providerNumber ?? "",
    // Somebody may map it before the proposal is accepted.
    ...(mapping === null && { seen: UNMAPPED_VERSION }),
  };
}
