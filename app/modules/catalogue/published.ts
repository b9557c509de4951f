import type { ProductId } from "../kernel/ids.ts";

/** The details that were last written to a product's page. */
export interface PublishedDetails {
  /** JSON text, or null when it was taken away. */
  value: string | null;
  /** Why it could not be written, or null. */
  failure: string | null;
}

export interface PublishedDetailsRepository {
  find(productId: ProductId): Promise<PublishedDetails | null>;
  save(productId: ProductId, details: PublishedDetails, at: Date): Promise<void>;
  /** Notes that nobody knows what the pages say: each is written at its next turn. */
  doubtAll(): Promise<void>;
  /** Products whose page says something, or is mapped to say something, by their ids, behind one of them. */
  products(page: { after: ProductId | null; limit: number }): Promise<ProductId[]>;
  /** The latest reason for which a page could not be written, or null. */
  failure(): Promise<string | null>;
}
