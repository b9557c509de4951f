import type { ProductId, VariantId } from "../kernel/ids.ts";
import type { Environment } from "../shops/connection.ts";
import type { Catalogue } from "./catalogue.ts";
import type { Mapping } from "./mapping.ts";
import type { StoreVariant } from "./store-products.ts";

/** The store's names for a product that nobody can buy. */
export const NOT_ON_SALE: readonly string[] = ["draft", "archived"];

/**
 * The states of a variant. `broken`: its mapping orders something that cannot be ordered any more, or belongs to a
 * product that the store no longer has.
 */
export const VARIANT_STATES = ["mapped", "unmapped", "ignored", "broken"] as const;
export type VariantState = (typeof VARIANT_STATES)[number];

/** A variant of the stored copy, judged against one environment's mappings and catalogue. */
export interface ListedVariant extends StoreVariant {
  state: VariantState;
  mapping: Mapping | null;
  /** Its mapping is its own, though its product as a whole has one. */
  isException: boolean;
  /** The store has it no longer. */
  isDeleted: boolean;
  /** The service's code when it last refused the mapping's practitioner, or null. */
  practitionerFault: string | null;
}

/** The filter of variants: by state, and by all the words typed of their titles or SKU. */
export interface VariantFilter {
  environment: Environment;
  /** Null: nobody can say what has gone, so nothing is broken for that reason. */
  catalogue: Catalogue | null;
  state: VariantState | null;
  search: string;
}

/** Where a page begins: behind one variant, or before it. */
export type VariantPlace = { after: VariantId } | { before: VariantId } | null;

export interface VariantPage {
  variants: ListedVariant[];
  hasNext: boolean;
  hasPrevious: boolean;
}

/** How far the reading of the store's products has come. */
export interface StoreReading {
  cursor: string | null;
  passStartedAt: Date | null;
  completedAt: Date | null;
  checkedThrough: Date | null;
}

/** A mapped variant that another one looks like. */
export interface CopiedVariant {
  id: VariantId;
  title: string;
  mapping: Mapping;
}

export interface StoreVariantRepository {
  /** The moment before a reading of the store, by the database's clock. */
  beginReading(): Promise<Date>;
  reading(): Promise<StoreReading | null>;
  saveReading(reading: StoreReading): Promise<void>;
  /** Writes what a reading that began at `at` found. What a later reading wrote stays. */
  put(variants: StoreVariant[], at: Date): Promise<void>;
  /** The product has no other variants than these: a reading that began at `at` proves it. */
  dropOthers(productId: ProductId, present: VariantId[], at: Date): Promise<void>;
  /** After a pass over everything that began at `at`: what it did not meet has gone. */
  dropUnmet(at: Date): Promise<void>;
  page(filter: VariantFilter, place: VariantPlace, limit: number): Promise<VariantPage>;
  find(
    filter: Omit<VariantFilter, "state" | "search">,
    id: VariantId,
  ): Promise<ListedVariant | null>;
  /** The product’s variants, by their titles. */
  ofProduct(
    filter: Omit<VariantFilter, "state" | "search">,
    productId: ProductId,
  ): Promise<ListedVariant[]>;
  counts(filter: Omit<VariantFilter, "state">): Promise<Record<VariantState, number>>;
  /** How many that can be bought have a mapping that can't be ordered. */
  countBroken(filter: Omit<VariantFilter, "state" | "search">): Promise<number>;
  /** Those of the given ids that are known, in no order. */
  some(filter: Omit<VariantFilter, "state" | "search">, ids: VariantId[]): Promise<ListedVariant[]>;
  /** Mapped variants that unmapped ones among the given look like: the same SKU, or the same titles. */
  copiedVariants(
    environment: Environment,
    ids: VariantId[],
  ): Promise<Map<VariantId, CopiedVariant>>;
  /** How many unmapped variants look like a mapped one. */
  countCopies(environment: Environment): Promise<number>;
  /** Variants with one of these SKUs, as long as the store has them. */
  bySku(skus: string[]): Promise<Map<string, VariantId[]>>;
}
