import type { ProductId, ShopDomain } from "../kernel/ids.ts";
import { isOfOtherStore } from "../shops/store-doubt.ts";
import type { Ports } from "./ports.ts";
import type { StoreVariant, VariantCondition } from "./store-products.ts";
import type { StoreReading } from "./store-variants.ts";
import type { Tenant } from "./tenant.ts";

type ReadPorts = Pick<Ports, "tenancy" | "storeProducts">;

/** Pages of a pass are this far apart, so that it leaves most of the store's budget to everything else. */
const BETWEEN_PAGES_MS = 1_000;
/** A pass over everything finds what no message told. */
const PASS_EVERY_MS = 24 * 3_600_000;
/** The store's index of changes lags a little behind the changes. */
const OVERLAP_MS = 60_000;

export type StoreFreshness =
  | { kind: "fresh" }
  /** The first pass is under way: there is more than what is listed. */
  | { kind: "reading" }
  /** The store did not answer: the list is as it was at `at`. */
  | { kind: "stale"; at: Date | null };

/**
 * Brings the stored copy of the products up to date before it is shown: what changed since the last look, or
 * the first page when there was none. The rest of a pass is left to jobs. A store that does not answer leaves
 * the copy as it is.
 */
export async function freshenStore(ports: ReadPorts, shop: ShopDomain): Promise<StoreFreshness> {
  const { tenancy } = ports;
  const { reading, now } = await tenancy.inShop(shop, begin);
  try {
    if (!reading) {
      const first = await readPage(ports, shop, { now, first: true });
      return first ? freshnessOf(first) : { kind: "stale", at: null };
    }
    const since = new Date((reading.checkedThrough ?? now).getTime() - OVERLAP_MS);
    const condition = { kind: "updated_since", since } as const;
    const page = await ports.storeProducts.variants(shop, { after: null, condition });
    return await tenancy.inShop(shop, async (tenant) => {
      if (await isOfOtherStore(tenant, page.storeId))
        return { kind: "stale", at: reading.checkedThrough };
      await tenant.storeVariants.put(page.variants, now);
      const latest = (await tenant.storeVariants.reading()) ?? reading;
      const isOverdue =
        !latest.passStartedAt &&
        now.getTime() - (latest.completedAt?.getTime() ?? 0) > PASS_EVERY_MS;
      const next: StoreReading = {
        ...latest,
        checkedThrough: now,
        // More has changed than fits a page: a pass reads it all.
        ...(isOverdue || (page.next && !latest.passStartedAt)
          ? { passStartedAt: now, cursor: null }
          : {}),
      };
      await tenant.storeVariants.saveReading(next);
      if (next.passStartedAt) await tenant.jobs.enqueue({ name: "read-store", shop });
      return freshnessOf(next);
    });
  } catch (error) {
    if (!isStoreFailure(error)) throw error;
    return { kind: "stale", at: reading?.checkedThrough ?? null };
  }
}

/** One page of the pass under way, or of a new one when none is and the copy has never been complete. */
export async function readStorePage(
  ports: ReadPorts,
  { shop }: { shop: ShopDomain },
): Promise<"read" | "complete" | "nothing_to_do"> {
  const { reading, now, installed } = await ports.tenancy.inShop(shop, begin);
  if (!installed || (reading && !reading.passStartedAt)) return "nothing_to_do";
  const after = await readPage(ports, shop, { now, first: reading === null });
  if (!after) return "nothing_to_do";
  return after.passStartedAt ? "read" : "complete";
}

/** Reads one product again: its variants are what the store now says, and nothing else. */
export async function rereadProduct(
  { tenancy, storeProducts }: ReadPorts,
  { shop, productId }: { shop: ShopDomain; productId: ProductId },
): Promise<{ variants: number }> {
  const { now, installed } = await tenancy.inShop(shop, begin);
  if (!installed) return { variants: 0 };
  const variants: StoreVariant[] = [];
  const condition: VariantCondition = { kind: "product", productId };
  const storeIds = new Set<string | undefined>();
  let after: string | null = null;
  do {
    const page = await storeProducts.variants(shop, { after, condition });
    variants.push(...page.variants);
    storeIds.add(page.storeId);
    after = page.next;
  } while (after);
  return tenancy.inShop(shop, async (tenant) => {
    for (const storeId of storeIds)
      if (await isOfOtherStore(tenant, storeId)) return { variants: 0 };
    await tenant.storeVariants.put(variants, now);
    const present = variants.map((variant) => variant.id);
    await tenant.storeVariants.dropOthers(productId, present, now);
    await tenant.jobs.enqueue({ name: "publish-product", shop, productId });
    return { variants: variants.length };
  });
}

async function begin(tenant: Tenant) {
  return {
    reading: await tenant.storeVariants.reading(),
    now: await tenant.storeVariants.beginReading(),
    installed: (await tenant.shops.find())?.installed ?? false,
  };
}

/** Null where another store answered, whose products are none of this one's. */
async function readPage(
  { tenancy, storeProducts }: ReadPorts,
  shop: ShopDomain,
  { now, first }: { now: Date; first: boolean },
): Promise<StoreReading | null> {
  const before = await tenancy.inShop(shop, (tenant) => tenant.storeVariants.reading());
  const startedAt = before?.passStartedAt ?? now;
  const page = await storeProducts.variants(shop, {
    after: before?.cursor ?? null,
    condition: { kind: "all" },
  });
  return tenancy.inShop(shop, async (tenant) => {
    if (await isOfOtherStore(tenant, page.storeId)) return null;
    await tenant.storeVariants.put(page.variants, now);
    const latest = await tenant.storeVariants.reading();
    // Somebody else has read this page meanwhile and goes on from there.
    if (!first && latest?.cursor !== before?.cursor) return latest ?? NEVER_READ;
    const reading: StoreReading = {
      cursor: page.next,
      passStartedAt: page.next ? startedAt : null,
      completedAt: page.next ? (latest?.completedAt ?? null) : now,
      checkedThrough: latest?.checkedThrough ?? startedAt,
    };
    await tenant.storeVariants.saveReading(reading);
    if (page.next) {
      const startAfter = new Date(now.getTime() + BETWEEN_PAGES_MS);
      await tenant.jobs.enqueue({ name: "read-store", shop }, { startAfter });
    } else await tenant.storeVariants.dropUnmet(startedAt);
    return reading;
  });
}

const NEVER_READ: StoreReading = {
  cursor: null,
  passStartedAt: null,
  completedAt: null,
  checkedThrough: null,
};

const freshnessOf = ({ completedAt }: StoreReading): StoreFreshness => ({
  kind: completedAt ? "fresh" : "reading",
});

/** Told by its code: the build gives pages a copy of every class. */
function isStoreFailure(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("store_");
}
