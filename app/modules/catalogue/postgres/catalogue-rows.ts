import type { Scope } from "../../../platform/database/scope.ts";
import { mappingChangeRepository } from "./mapping-changes.ts";
import { catalogueRepository, mappingRepository } from "./mappings.ts";
import { publishedDetailsRepository } from "./published-details.ts";
import { storeVariantRepository } from "./store-variants.ts";

/** The rows of this module, through one shop's eyes. */
export const catalogueRows = (scope: Scope) => ({
  catalogues: catalogueRepository(scope),
  mappings: mappingRepository(scope),
  mappingChanges: mappingChangeRepository(scope),
  storeVariants: storeVariantRepository(scope),
  publishedDetails: publishedDetailsRepository(scope),
});
