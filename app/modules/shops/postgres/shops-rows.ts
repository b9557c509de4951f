import type { Scope } from "../../../platform/database/scope.ts";
import { alertRepository } from "./alerts.ts";
import { connectionRepository } from "./connections.ts";
import { shopRepository } from "./shops.ts";
import { staffRepository } from "./staff.ts";

/** The rows of this module, through one shop's eyes. */
export const shopsRows = (scope: Scope) => ({
  shops: shopRepository(scope),
  connections: connectionRepository(scope),
  staff: staffRepository(scope),
  alerts: alertRepository(scope),
});
