import { randomUUID } from "node:crypto";
import {
  wireReferral,
  wireResult,
} from "../../app/clients/referral-service/testing/wire-samples.ts";
import { referralSchema } from "../../app/clients/referral-service/wire/referral.ts";
import { resultSchema } from "../../app/clients/referral-service/wire/result.ts";
import type { ReferralSnapshot, ResultSnapshot } from "../../app/modules/referrals/snapshots.ts";

interface Dated {
  createdAt: string;
  updatedAt: string;
}
type DatedReferral = ReferralSnapshot & Dated;
export type DatedResult = ResultSnapshot & Dated;

/** A referral as the client reads it from the service. */
export const referralSnapshot = (fields: Partial<DatedReferral> = {}): DatedReferral => ({
  ...(referralSchema.parse(wireReferral({ uuid: randomUUID() })) as DatedReferral),
  // The answer itself would say otherwise than `fields`.
  whole: undefined,
  ...fields,
});

/** A result as the client reads it. Another reading may be undated. */
export const resultSnapshot = (fields: Partial<ResultSnapshot> = {}): DatedResult =>
  ({
    ...resultSchema.parse(wireResult({ uuid: randomUUID() })),
    whole: undefined,
    ...fields,
  }) as DatedResult;
