import type { Scope } from "../../../platform/database/scope.ts";
import { overviewRepository } from "./overview/overview.ts";
import { savedViewRepository } from "./saved-views.ts";
import { simulationRepository } from "./simulations.ts";

/** The rows of this module, through one shop's eyes. */
export const reportsRows = (scope: Scope) => ({
  overview: overviewRepository(scope),
  views: savedViewRepository(scope),
  simulations: simulationRepository(scope),
});
