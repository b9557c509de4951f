import { flatDetails } from "../../modules/access/saved-patients.ts";
import type { SavedPatient } from "../../modules/patients/saved-patient.ts";

/** A saved patient as the interface gives it (docs/sandbox.md, section 4): the fields of the patient form, with its id. */
export const presentSavedPatient = ({ id, ...details }: SavedPatient) => ({
  id,
  ...flatDetails(details),
});
