import type { ProductId, VariantId } from "../kernel/ids.ts";
import type { MappingFacts, MappingMeaning } from "../referrals/mapping-facts.ts";
import type { Environment } from "../shops/connection.ts";

/** Longer notes are for a letter; the interface names no limit of its own. */
export const MAX_NOTES_CHARS = 1_000;

/** The meaning of a variant, and since when. */
export type Mapping = {
  environment: Environment;
  productId: ProductId;
  variantId: VariantId;
  updatedAt: Date;
} & MappingMeaning;

export type NewMapping = Mapping extends infer M
  ? M extends Mapping
    ? Omit<M, "updatedAt">
    : never
  : never;

export interface MappingRepository extends MappingFacts {
  all(environment: Environment): Promise<Mapping[]>;
  /** For reading: mappings may change meanwhile. */
  list(environment: Environment, variantIds: VariantId[]): Promise<Map<VariantId, Mapping>>;
  ofProduct(environment: Environment, productId: ProductId): Promise<Mapping[]>;
  /** No mapping of the shop is saved or matched between this and the end of the transaction. */
  holdStill(): Promise<void>;
  /** No mapping of the shop changes between this reading and the end of the transaction. */
  forVariants(environment: Environment, variantIds: VariantId[]): Promise<Map<VariantId, Mapping>>;
  /** Its practitioner is added to the registry when nobody there has the number; whoever has it stays as they are. */
  save(mapping: NewMapping): Promise<void>;
  remove(environment: Environment, variantId: VariantId): Promise<void>;
}
