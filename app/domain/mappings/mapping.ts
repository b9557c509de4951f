import type { Environment } from "../connections/connection.ts";
import type { ProductId, VariantId } from "../ids.ts";
import type { OrderedItems } from "../referrals/referral-service.ts";

/** What a variant means: an order at the service, or nothing that concerns it. */
export type Mapping = {
  environment: Environment;
  productId: ProductId;
  variantId: VariantId;
  updatedAt: Date;
  /** When the store was found to sell the variant no longer, or null. */
  goneAt: Date | null;
} & ({ kind: "order"; items: OrderedItems } | { kind: "ignored" });

export type NewMapping = Mapping extends infer M
  ? M extends Mapping
    ? Omit<M, "updatedAt" | "goneAt">
    : never
  : never;

export interface MappingRepository {
  all(environment: Environment): Promise<Mapping[]>;
  /** No mapping of the shop changes between this reading and the end of the transaction. */
  forVariants(environment: Environment, variantIds: VariantId[]): Promise<Map<VariantId, Mapping>>;
  save(mapping: NewMapping): Promise<void>;
  /** Mapped variants of a product, in any environment. */
  variantsOf(productId: ProductId): Promise<VariantId[]>;
  /** Marks these variants of a product as gone since `at` unless they were before, and its others as sold. */
  setGone(change: { productId: ProductId; gone: VariantId[]; at: Date }): Promise<void>;
  remove(environment: Environment, variantId: VariantId): Promise<void>;
}
