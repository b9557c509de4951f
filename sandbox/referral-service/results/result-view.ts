import type { SignedAddresses } from "../attachments/signed-address.ts";
import type { JsonObject } from "../json.ts";
import type { Referral } from "../referrals/referral.ts";
import { isoTime, type ReferralView } from "../referrals/referral-view.ts";
import { type BiomarkerSummary, type BiomarkerView, summarise } from "./measurement.ts";
import type { Result, ResultStatus } from "./result-store.ts";

/** A result on the wire: every field of interface §2.2, always a whole snapshot. */
export interface ResultView {
  uuid: string;
  referralUuid: string;
  status: ResultStatus;
  object: "result";
  reference: string;
  referenceNumber: string;
  productId: string | null;
  productName: string | null;
  origin: string | null;
  resultAttachment: string | null;
  createdAt: string;
  updatedAt: string;
  deletedAt: string | null;
  resultDate: string;
  reviewedBy: string | null;
  person: ReferralView["person"];
  metadata: JsonObject | null;
  biomarkerSummary: BiomarkerSummary | null;
  biomarkers: BiomarkerView[];
}

/** The wire form of a result; while it is held, only what was released before is shown. */
export function viewResult(
  result: Result,
  referral: Referral,
  addresses: SignedAddresses,
): ResultView {
  const { document } = referral;
  const { released } = result;
  return {
    uuid: result.uuid,
    referralUuid: referral.uuid,
    status: result.status,
    object: "result",
    reference: document.reference,
    referenceNumber: referral.referenceNumber,
    productId: document.productId,
    productName: document.productName,
    origin: document.origin,
    resultAttachment: released
      ? addresses.sign({ kind: "result", uuid: result.uuid, edition: result.version })
      : null,
    createdAt: isoTime(result.createdAtMs),
    updatedAt: isoTime(result.updatedAtMs),
    deletedAt: null,
    resultDate: isoTime(result.resultAtMs),
    reviewedBy: result.reviewedBy,
    person: document.person,
    metadata: document.metadata,
    biomarkerSummary: released ? summarise(released) : null,
    biomarkers: (released ?? []).map((entry) => entry.view),
  };
}
