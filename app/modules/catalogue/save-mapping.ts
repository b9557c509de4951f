import { randomUUID } from "node:crypto";
import type { ShopDomain, VariantId } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import type { Practitioner } from "../referrals/referral-service.ts";
import { retryRefused } from "../referrals/retry-refused.ts";
import type { Catalogue } from "./catalogue.ts";
import { ignoredByMistake } from "./ignored-by-mistake.ts";
import type { NewMapping } from "./mapping.ts";
import type { MappingPlace } from "./mapping-change.ts";
import { changedMeanwhile, type MappingChangedMeanwhile } from "./mapping-version.ts";
import { meaningOf } from "./mappings/same-meaning.ts";
import type { Ports } from "./ports.ts";
import { isProviderNumber } from "./provider-number.ts";
import { reconcileIgnoredIn, reconcileWaitingIn } from "./reconcile-waiting.ts";
import { recordChange } from "./record-change.ts";
import type { Tenant } from "./tenant.ts";

export type SaveMappingOutcome =
  /** How many orders waited for the mapping, and how many requests that were refused are sent again. */
  | {
      kind: "saved";
      ordersWaiting: number;
      sentAgain: number;
      /** Names the change, to undo it (`undoMapping`). */
      changeId: string;
    }
  | { kind: "invalid"; field: "items" | "practitioner"; message: string };

interface SavedBy {
  actor: Actor;
  at: Date;
  /**
   * Whether its practitioner was chosen from the registry. The number alone counts then; nobody is added. Otherwise
   * somebody typed who they are, and whoever is new is added.
   */
  isPractitionerChosen: boolean;
  /** A variant that gives up its own mapping for the whole product's, which is saved. */
  heir?: VariantId | null;
  /** The run that the change belongs to; absent: a change of its own. */
  changeId?: string;
}

/**
 * Says what a variant or a whole product means. Orders that sold the variant before it had a meaning are reconciled again, so
 * that nothing that was paid for is lost; so is what was refused because of the practitioner whom it named, and what was taken for
 * no test by a mistake that this mends.
 */
export async function saveMapping(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  {
    shop,
    mapping,
    actor,
    isPractitionerChosen = false,
    heir = null,
    seen = null,
  }: { shop: ShopDomain; mapping: NewMapping; actor: Actor } & Seen &
    Partial<Pick<SavedBy, "isPractitionerChosen" | "heir">>,
): Promise<SavedAlone | MappingChangedMeanwhile> {
  const by = { actor, at: clock.now(), isPractitionerChosen, heir };
  const variantId = mapping.variantId ?? heir;
  const change = { place: mapping, variantId, seen, wished: meaningOf(mapping) };
  return tenancy.inShop(
    shop,
    async (tenant) => (await changedMeanwhile(tenant, change)) ?? saveAlone(tenant, mapping, by),
  );
}

/** `unsentOtherwise`: how many units wait to be sent that order what it meant before. */
type SavedAlone =
  | (Extract<SaveMappingOutcome, { kind: "saved" }> & { unsentOtherwise: number })
  | Extract<SaveMappingOutcome, { kind: "invalid" }>;

async function saveAlone(tenant: Tenant, mapping: NewMapping, by: SavedBy): Promise<SavedAlone> {
  const saved = await saveMappingIn(tenant, mapping, by);
  if (saved.kind === "invalid") return saved;
  const { environment, variantId, productId } = mapping;
  const sold = variantId ?? productId;
  const unsentOtherwise = await tenant.orders.countUnsentOtherwise(sold, environment);
  return { ...saved, unsentOtherwise };
}

interface Seen {
  /** The `mappingVersion` that the page showed; null: whatever is there is replaced. */
  seen?: string | null;
}

/** The same inside a transaction that does more. */
export async function saveMappingIn(
  tenant: Tenant,
  mapping: NewMapping,
  { isPractitionerChosen, heir, changeId = randomUUID(), ...by }: SavedBy,
): Promise<SaveMappingOutcome> {
  if (mapping.kind === "order") {
    const catalogue = await tenant.catalogues.find(mapping.environment);
    const message = faultIn(mapping, catalogue);
    if (message) return { kind: "invalid", field: "items", message };
    const { practitioner } = mapping.items;
    const fault = practitioner && (await faultOf(tenant, practitioner, isPractitionerChosen));
    if (fault) return { kind: "invalid", field: "practitioner", message: fault };
  }
  const { shop } = tenant;
  const { variantId, productId } = mapping;
  const changed = { changeId, ...by };
  const mistake =
    mapping.kind === "order" ? await ignoredByMistake(tenant, mapping, { heir, at: by.at }) : [];
  await recordChange(tenant, mapping, {
    by: changed,
    change: () => tenant.mappings.save(mapping),
  });
  if (variantId === null && heir) {
    const own = { ...mapping, variantId: heir };
    await recordChange(tenant, own, { by: changed, change: () => tenant.mappings.remove(own) });
  }
  const sold = variantId ?? productId;
  let ordersWaiting = await tenant.orders.countUnmapped(sold);
  if (ordersWaiting > 0) await reconcileWaitingIn(tenant, { sold, after: null });
  for (const one of mistake) ordersWaiting += await reconcileIgnoredIn(tenant, one.sold, one.at);
  await tenant.jobs.enqueue({ name: "publish-product", shop, productId });
  const sentAgain = await retryRefused(tenant, by);
  return { kind: "saved", ordersWaiting, sentAgain, changeId };
}

/** Why nothing can be ordered under a practitioner's number as it is asked for; null when it can. */
async function faultOf(
  tenant: Tenant,
  { providerNumber, name, address }: Practitioner,
  isChosen: boolean,
): Promise<string | null> {
  // Nobody is removed between this look and the mapping that needs them.
  await tenant.mappings.holdStill();
  const registered = await tenant.practitioners.find(providerNumber);
  if (!registered)
    return isChosen
      ? `No practitioner has the provider number ${providerNumber} any more. Add them under Practitioners first, or choose somebody else.`
      : null;
  if (isChosen || (registered.name === name && registered.address === address)) return null;
  return `${providerNumber} is in your list already, as ${registered.name}. Choose them there, or change them under Practitioners.`;
}

/**
 * Takes back what a variant means, so that it means again what its product does, if anything; or what a whole product
 * means. Orders that were read before keep what they ordered.
 */
export async function removeMappingIn(
  tenant: Tenant,
  which: MappingPlace,
  { actor, at, changeId = randomUUID() }: Pick<SavedBy, "actor" | "at" | "changeId">,
): Promise<void> {
  const change = () => tenant.mappings.remove(which);
  const mistake = await ignoredByMistake(tenant, which, { at });
  await recordChange(tenant, which, { by: { changeId, actor, at }, change });
  for (const one of mistake) await reconcileIgnoredIn(tenant, one.sold, one.at);
  const { productId } = which;
  await tenant.jobs.enqueue({ name: "publish-product", shop: tenant.shop, productId });
}

/** The same in a transaction of its own. `of`: the variant on whose page it was asked for. */
export async function removeMapping(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  {
    shop,
    actor,
    seen = null,
    of = null,
    ...which
  }: MappingPlace & { shop: ShopDomain; actor: Actor; of?: VariantId | null } & Seen,
): Promise<{ kind: "removed" } | MappingChangedMeanwhile> {
  const by = { actor, at: clock.now() };
  const change = { place: which, variantId: of, seen, wished: { kind: "unmapped" } as const };
  return tenancy.inShop(shop, async (tenant) => {
    const met = await changedMeanwhile(tenant, change);
    if (met) return met;
    await removeMappingIn(tenant, which, by);
    return { kind: "removed" };
  });
}

/** Why a mapping could not be ordered, in a sentence; null when it can. */
export function faultIn(
  { items }: Pick<NewMapping & { kind: "order" }, "items">,
  catalogue: Pick<Catalogue, "tests" | "bundles"> | null,
): string | null {
  const { bundleId, tests, medicareTests, practitioner } = items;
  if (!bundleId && tests.length === 0 && medicareTests.length === 0)
    return "Choose a bundle or at least one test.";
  if (medicareTests.length > 0 && !practitioner)
    return "Medicare tests need the practitioner who orders them.";
  if (practitioner && !isProviderNumber(practitioner.providerNumber))
    return "Check the practitioner’s provider number.";
  if (!catalogue) return "Connect to the referral service first, so that its tests can be chosen.";
  const known = new Set(catalogue.tests.map((test) => test.id));
  const missing = [...tests, ...medicareTests].find((id) => !known.has(id));
  if (missing) return `The test "${missing}" is not in the catalogue.`;
  if (bundleId && !catalogue.bundles.some((bundle) => bundle.id === bundleId))
    return "This bundle is not in the catalogue.";
  return null;
}
