import type { ProductId, VariantId } from "../kernel/ids.ts";
import type { Environment } from "../shops/connection.ts";
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

/** Port: what the ledger asks of the product that a unit is of. */
export interface MappingFacts {
  /** Their own meaning, else their product’s. For reading: mappings may change meanwhile. */
  list(
    environment: Environment,
    variantIds: VariantId[],
    products?: ReadonlyMap<VariantId, ProductId>,
  ): Promise<Map<VariantId, MappingMeaning>>;
  /** No mapping of the shop changes between this reading and the end of the transaction. */
  forVariants(
    environment: Environment,
    variantIds: VariantId[],
    products?: ReadonlyMap<VariantId, ProductId>,
  ): Promise<Map<VariantId, MappingMeaning>>;
}
