import { z } from "zod";
import type { CustomerId } from "../kernel/ids.ts";
import type { MedicareCard, Patient } from "./patient.ts";
import { type PatientDetailsReading, readPatientDetails } from "./patient-details.ts";

/** So many people one customer can keep. */
export const MAX_SAVED_PATIENTS = 20;

/** Somebody whose details a customer keeps for their next tests (docs/decisions/0125). */
export interface SavedPatient {
  /** Made by the client. */
  id: string;
  patient: Patient;
  medicare: MedicareCard | null;
}

export interface SavedPatientRepository {
  /** Lets nobody else add to or change a customer's until the transaction ends. */
  lock(customerId: CustomerId): Promise<void>;
  /** A customer's, first saved first. */
  of(customerId: CustomerId): Promise<SavedPatient[]>;
  /** The ids of all of a customer's, first saved first: also of those that can't be read because of their keys. */
  idsOf(customerId: CustomerId): Promise<string[]>;
  /** One of this customer; null for an unknown one and for another customer's. */
  find(customerId: CustomerId, id: string): Promise<SavedPatient | null>;
  /** False when the id is another customer's: nothing is saved then. */
  add(customerId: CustomerId, saved: SavedPatient, at: Date): Promise<boolean>;
  /** Replaces the details. False for an unknown one and for another customer's. */
  change(customerId: CustomerId, saved: SavedPatient, at: Date): Promise<boolean>;
  /** Notes that the details were used, so that they are kept on. */
  markUsed(customerId: CustomerId, id: string, at: Date): Promise<void>;
  /** Those that were neither saved nor used since then, at most `limit`. Nobody else touches them until the transaction ends. */
  unusedSince(before: Date, limit: number): Promise<{ id: string; customerId: CustomerId }[]>;
  /** Destroys one of a customer's, with its data key. False when there is none. */
  remove(customerId: CustomerId, id: string): Promise<boolean>;
  /** Destroys all of a customer's, or those that were there by then. Returns how many. */
  removeAllOf(customerId: CustomerId, until?: Date | null): Promise<number>;
  /** Destroys those whose data keys were destroyed already: a restored database has their rows again. */
  removeByKeys(keyIds: string[]): Promise<void>;
}

const cardSchema = z
  .object({
    medicareCardNumber: z.string().trim().nullish().catch(null),
    medicareIrn: z.string().trim().nullish().catch(null),
    dvaNumber: z.string().trim().nullish().catch(null),
  })
  .catch({});

/**
 * Reads details to be kept: the fields and checks of the patient form, without its consent, which is given anew with each
 * test. A card is asked for only where one is given.
 */
export function readSavedDetails(
  given: unknown,
  rules: { minimumAge: number; today: Date },
): PatientDetailsReading {
  const { medicareCardNumber, medicareIrn, dvaNumber } = cardSchema.parse(given);
  const needsMedicare = Boolean(medicareCardNumber || medicareIrn || dvaNumber);
  return readPatientDetails({ ...Object(given), consent: true }, { ...rules, needsMedicare });
}
