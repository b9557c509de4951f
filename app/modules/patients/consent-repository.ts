import type { UnitOwner } from "./unit-owner.ts";

/** One consent, with the words that were agreed to. */
export interface Consent {
  givenBy: UnitOwner;
  version: number;
  /** The notice's paragraphs, then the sentence that was ticked. */
  wording: string[];
  givenAt: Date;
}

export interface ConsentRepository {
  add(requestId: string, consent: Consent): Promise<void>;
  /** Every consent of a request, oldest first. */
  forRequest(requestId: string): Promise<Consent[]>;
}
