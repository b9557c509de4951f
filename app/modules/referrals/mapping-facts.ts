import type { ProductId, VariantId } from "../kernel/ids.ts";
import type { Environment } from "../shops/connection.ts";
import type { SoldVariant } from "./order-facts.ts";
import type { OrderedItems } from "./referral-service.ts";

/** The meaning of a variant or product: an order at the service, or nothing that concerns it. */
export type MappingMeaning =
  | {
      kind: "order";
      items: OrderedItems;
      /**
       * The practitioner's notes for every Medicare referral of the product (interface §4.2, clinicalNotes). Undefined:
       * not read, as in the list of what the store sells, or to be left as they are; without Medicare tests there
       * are none.
       */
      clinicalNotes?: string | null;
      /** How the patient prepares for the collection. Undefined as the notes are. */
      preparation?: string | null;
    }
  | { kind: "ignored" };

/** A unit as it is ordered, whatever its product means by now. */
export interface OrderedUnit {
  sold: SoldVariant;
  items: OrderedItems;
}

/** The merchant's texts to what a unit orders; null for none. */
export interface OrderedTexts {
  clinicalNotes: string | null;
  preparation: string | null;
}

/** Port: what the ledger asks of the product that a unit is of. */
export interface MappingFacts {
  /** Their own meaning, else their product’s. For reading: mappings may change meanwhile. */
  list(
    environment: Environment,
    variantIds: VariantId[],
    products?: ReadonlyMap<VariantId, ProductId>,
  ): Promise<Map<VariantId, MappingMeaning>>;
  /**
   * The texts to what each of these units orders, in their sequence: as the mapping has them now, and where that orders something else
   * by now, or nothing, as it had them last for this. They go with the test that is done, and not with what is sold today.
   */
  textsOf(environment: Environment, units: readonly OrderedUnit[]): Promise<OrderedTexts[]>;
  /** No mapping of the shop changes between this reading and the end of the transaction. */
  forVariants(
    environment: Environment,
    variantIds: VariantId[],
    products?: ReadonlyMap<VariantId, ProductId>,
  ): Promise<Map<VariantId, MappingMeaning>>;
}
