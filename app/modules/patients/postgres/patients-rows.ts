import type { Scope } from "../../../platform/database/scope.ts";
import { consentRepository } from "./consents.ts";
import { customerRepository } from "./customers.ts";
import { savedPatientRepository } from "./saved-patients.ts";

/** The rows of this module, through one shop's eyes. */
export const patientsRows = (scope: Scope) => ({
  consents: consentRepository(scope),
  customers: customerRepository(scope),
  savedPatients: savedPatientRepository(scope),
});
