import type { Environment } from "../shops/connection.ts";
import type { CatalogueTest } from "./snapshots.ts";

/** Port: what the ledger asks of the service's catalogue. */
export interface CatalogueFacts {
  /** The tests as they were listed last; null where nobody has listed them. */
  find(environment: Environment): Promise<{ tests: Pick<CatalogueTest, "id">[] } | null>;
}
