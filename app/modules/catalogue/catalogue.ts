import type { CatalogueBundle, CatalogueTest } from "../referrals/snapshots.ts";
import type { Environment } from "../shops/connection.ts";

/** The items that a connection's organisation can order, as last listed. */
export interface Catalogue {
  environment: Environment;
  tests: CatalogueTest[];
  bundles: CatalogueBundle[];
  fetchedAt: Date;
}

export interface CatalogueRepository {
  find(environment: Environment): Promise<Catalogue | null>;
  save(catalogue: Catalogue): Promise<void>;
}
