import type { ProductId, VariantId } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import type { MappingMeaning } from "../referrals/mapping-facts.ts";
import type { Environment } from "../shops/connection.ts";
import type { NewMapping } from "./mapping.ts";

/** What a mapping is for: a variant, or with null a product as a whole. */
export type MappingPlace = Pick<NewMapping, "environment" | "productId" | "variantId">;

/** One change of one mapping, with what was there before: who made it, and what an undo puts back. */
export interface MappingChanged extends MappingPlace {
  /** The save, the removal, the run or the undo that it belongs to. */
  changeId: string;
  at: Date;
  actor: Actor;
  /** What the place meant of its own afterwards. */
  became: MappingMeaning["kind"] | "unmapped";
  /** What it meant of its own before; null when it had no mapping. */
  before: MappingMeaning | null;
  /** The change that this one puts back; null for every other. */
  undoes: string | null;
}

/** The newest change of a place. */
export type LatestChange = Pick<MappingChanged, "changeId" | "actor" | "undoes">;

export interface MappingChangeRepository {
  /** The place's mapping is held still (`MappingRepository.holdStill`): changes of a place follow one another. */
  add(change: MappingChanged): Promise<void>;
  /** The latest first. `sold`: of one variant or product alone. */
  of(
    changeId: string,
    only?: { sold?: VariantId | ProductId; limit?: number },
  ): Promise<MappingChanged[]>;
  /** Those of the variant and of its product as a whole, at most `limit`, the latest first. */
  history(place: MappingPlace, limit: number): Promise<MappingChanged[]>;
  latestOf(place: MappingPlace): Promise<LatestChange | null>;
  /**
   * The last thing that one person did to a mapping since a moment, where it was a save or a removal that nothing has
   * followed. `productId`: to one product's alone.
   */
  lastOf(
    actor: Actor,
    only: { environment: Environment; since: Date; productId?: ProductId },
  ): Promise<LastChange | null>;
}

/** A change that can be undone at once. */
export interface LastChange extends Pick<MappingChanged, "changeId" | "became"> {
  /** The product, and the variant where it is one's own; empty when the store's copy has lost it. */
  title: string;
}
