import { z } from "zod";
import { isReferenceNumber } from "../reference-number.ts";
import type { ReferralRequest } from "../request.ts";
import type { ReferralSnapshot } from "../snapshots.ts";

const isRequestId = (value: unknown) => z.uuid().safeParse(value).success;

/**
 * Whether a referral names another unit of Pathway than the one it was asked for: a service that takes two orders for one, or gives the
 * answer of another call, is not believed. One that names none is: the interface lets both be missing (§2.1).
 */
export function isOfAnother(
  { id, referenceNumber }: Pick<ReferralRequest, "id" | "referenceNumber">,
  named: Pick<ReferralSnapshot, "referenceNumber" | "metadata">,
): boolean {
  if (named.referenceNumber === referenceNumber || named.metadata?.requestId === id) return false;
  return isReferenceNumber(named.referenceNumber ?? "") || isRequestId(named.metadata?.requestId);
}
