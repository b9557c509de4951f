import type { ProductId, VariantId } from "../kernel/ids.ts";
import type { MappingFacts, MappingMeaning } from "../referrals/mapping-facts.ts";
import type { Environment } from "../shops/connection.ts";

/** Longer notes are for a letter; the interface names no limit of its own. */
export const MAX_NOTES_CHARS = 1_000;

/** A patient reads and remembers no more than this. */
export const MAX_PREPARATION_CHARS = 1_000;

/** The meaning of a variant, or of all variants of a product that have no mapping of their own, and since when. */
export type Mapping = {
  environment: Environment;
  productId: ProductId;
  /** Null: for the whole product. Later variants of it inherit this meaning. */
  variantId: VariantId | null;
  updatedAt: Date;
} & MappingMeaning;

export type NewMapping = Mapping extends infer M
  ? M extends Mapping
    ? Omit<M, "updatedAt">
    : never
  : never;

export interface MappingRepository extends MappingFacts {
  /** Variants that order something, by their own mapping or their product’s. */
  ordering(environment: Environment, limit: number): Promise<VariantId[]>;
  /** Variants that are no test, in the same way. */
  ignored(environment: Environment, limit: number): Promise<VariantId[]>;
  /**
   * Lists the meaning of each variant: by its own mapping, else by its product’s. `products` are those of variants that may
   * be too new for the copy of the store’s products. For reading: mappings may change meanwhile.
   */
  list(
    environment: Environment,
    variantIds: VariantId[],
    products?: ReadonlyMap<VariantId, ProductId>,
  ): Promise<Map<VariantId, Mapping>>;
  /** Mappings of variants of the product, and the one for the whole product. */
  ofProduct(environment: Environment, productId: ProductId): Promise<Mapping[]>;
  /** No mapping of the shop is saved or matched between this and the end of the transaction. */
  holdStill(): Promise<void>;
  /** The same, and no mapping of the shop changes between this reading and the end of the transaction. */
  forVariants(
    environment: Environment,
    variantIds: VariantId[],
    products?: ReadonlyMap<VariantId, ProductId>,
  ): Promise<Map<VariantId, Mapping>>;
  /** Its practitioner is added to the registry when nobody there has the number; whoever has it stays as they are. */
  save(mapping: NewMapping): Promise<void>;
  remove(which: Pick<Mapping, "environment" | "productId" | "variantId">): Promise<void>;
}
