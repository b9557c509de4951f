import { randomUUID } from "node:crypto";
import {
  wireReferral,
  wireResult,
} from "../../app/clients/referral-service/testing/wire-samples.ts";
import { referralSchema } from "../../app/clients/referral-service/wire/referral.ts";
import { resultSchema } from "../../app/clients/referral-service/wire/result.ts";
import type { ReferralSnapshot, ResultSnapshot } from "../../app/modules/referrals/snapshots.ts";

/** A referral as the client reads it from the service. */
export const referralSnapshot = (fields: Partial<ReferralSnapshot> = {}): ReferralSnapshot => ({
  ...referralSchema.parse(wireReferral({ uuid: randomUUID() })),
  // The answer itself would say otherwise than `fields`.
  whole: undefined,
  ...fields,
});

export const resultSnapshot = (fields: Partial<ResultSnapshot> = {}): ResultSnapshot => ({
  ...resultSchema.parse(wireResult({ uuid: randomUUID() })),
  whole: undefined,
  ...fields,
});
