import type { ReferralPage } from "../referral-service.ts";
import type { ComparedEntry } from "../sync-walk.ts";

/** One entry of a list of the service, as far as it is compared. */
export interface ListEntry extends ComparedEntry {
  /** The referral itself, or the one that a result belongs to. */
  referralUuid: string;
  referenceNumber: string | null;
  /** Creation or last change, whichever is later. */
  touchedAt: number;
  /** The whole of a referral, by its uuid; null for a result, and where no pause after a restore asks for it. */
  whole: ReferralPage["whole"] | null;
}
