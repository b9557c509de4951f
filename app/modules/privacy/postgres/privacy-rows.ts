import type { Scope } from "../../../platform/database/scope.ts";
import { privacyRepository } from "./privacy.ts";
import { redactionRepository } from "./redaction.ts";
import { staffAccessRepository } from "./staff-access.ts";

/** The rows of this module, through one shop's eyes. */
export const privacyRows = (scope: Scope) => ({
  privacy: privacyRepository(scope),
  redaction: redactionRepository(scope),
  staffAccess: staffAccessRepository(scope),
});
