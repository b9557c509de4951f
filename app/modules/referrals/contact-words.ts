import type { ContactReached } from "./contact.ts";

/** A recorded contact about held results, as a sentence without a full stop. */
export const CONTACT_WORDS: Record<ContactReached, string> = {
  patient: "The patient was told in person",
  carer: "The patient’s parent or carer was told in person",
  practitioner: "The patient’s doctor was told",
  nobody: "Nobody could be reached",
};

/** The choices of the form. */
export const CONTACT_NAMES: Record<ContactReached, string> = {
  patient: "The patient",
  carer: "Their parent or carer",
  practitioner: "Their doctor",
  nobody: "Nobody answered",
};
