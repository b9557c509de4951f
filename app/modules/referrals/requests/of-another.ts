import { readUuid } from "../../kernel/ids.ts";
import { readReferenceNumber } from "../reference-number.ts";
import type { ReferralRequest } from "../request.ts";
import type { ReferralSnapshot } from "../snapshots.ts";

type Ours = Pick<ReferralRequest, "id" | "referenceNumber">;
type Named = Pick<ReferralSnapshot, "referenceNumber" | "metadata">;

/** Whether a referral names this request: by its number, or by its id in the metadata. */
export const isNamed = ({ id, referenceNumber }: Ours, named: Named): boolean =>
  named.referenceNumber === referenceNumber || readUuid(named.metadata?.requestId) === id;

/**
 * Whether a referral, or a result of it, names another unit of Pathway than the one it was asked for: a service that takes two orders
 * for one, or gives the answer of another call, is not believed. One that names none is: the interface lets both be missing (§2.1).
 */
export function isOfAnother(ours: Ours, named: Named): boolean {
  if (isNamed(ours, named)) return false;
  const { referenceNumber, metadata } = named;
  return (
    readReferenceNumber(referenceNumber ?? "") !== null ||
    readUuid(metadata?.requestId) !== undefined
  );
}
