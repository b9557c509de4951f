import type { Scope } from "../../../platform/database/scope.ts";
import { cleanUpRepository } from "./clean-up.ts";
import { privacyRepository } from "./privacy.ts";
import { redactionRepository } from "./redaction.ts";
import { staffAccessRepository } from "./staff-access.ts";

/** The rows of this module, through one shop's eyes. */
export const privacyRows = (scope: Scope) => ({
  cleanUp: cleanUpRepository(scope),
  privacy: privacyRepository(scope),
  redaction: redactionRepository(scope),
  staffAccess: staffAccessRepository(scope),
});
