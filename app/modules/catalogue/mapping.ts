import type { ProductId, VariantId } from "../kernel/ids.ts";
import type { OrderedItems } from "../referrals/referral-service.ts";
import type { Environment } from "../shops/connection.ts";

/** Longer notes are for a letter; the interface names no limit of its own. */
export const MOST_NOTES_CHARS = 1_000;

/** What a variant means: an order at the service, or nothing that concerns it. */
export type Mapping = {
  environment: Environment;
  productId: ProductId;
  variantId: VariantId;
  updatedAt: Date;
} & (
  | {
      kind: "order";
      items: OrderedItems;
      /**
       * The practitioner's notes for every Medicare referral of the product (interface §4.2, clinicalNotes). Undefined:
       * not read, as in the list of what the store sells, or to be left as they are; without Medicare tests there
       * are none.
       */
      clinicalNotes?: string | null;
    }
  | { kind: "ignored" }
);

export type NewMapping = Mapping extends infer M
  ? M extends Mapping
    ? Omit<M, "updatedAt">
    : never
  : never;

export interface MappingRepository {
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
