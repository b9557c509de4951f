import type { Scope } from "../../../platform/database/scope.ts";
import { overviewRepository } from "./overview/overview.ts";
import { rehearsalRepository } from "./rehearsals.ts";
import { savedViewRepository } from "./saved-views.ts";

/** The rows of this room, through one shop's eyes. */
export const reportsRows = (scope: Scope) => ({
  overview: overviewRepository(scope),
  views: savedViewRepository(scope),
  rehearsals: rehearsalRepository(scope),
});
