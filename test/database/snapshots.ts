import { randomUUID } from "node:crypto";
import type { ReferralSnapshot, ResultSnapshot } from "../../app/domain/referrals/snapshots.ts";
import { wireReferral, wireResult } from "../../app/referral-service/testing/wire-samples.ts";
import { referralSchema } from "../../app/referral-service/wire/referral.ts";
import { resultSchema } from "../../app/referral-service/wire/result.ts";

/** A referral as the client reads it from the service. */
export const referralSnapshot = (fields: Partial<ReferralSnapshot> = {}): ReferralSnapshot => ({
  ...referralSchema.parse(wireReferral({ uuid: randomUUID() })),
  ...fields,
});

export const resultSnapshot = (fields: Partial<ResultSnapshot> = {}): ResultSnapshot => ({
  ...resultSchema.parse(wireResult({ uuid: randomUUID() })),
  ...fields,
});
