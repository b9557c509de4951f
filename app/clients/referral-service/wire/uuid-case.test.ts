/**
 * Snapshots are sealed with their uuid, and the database writes it in small letters: in capitals, nobody could open them. A reference
 * number of ours finds its test, however a service pads it or writes its letters.
 */
import { expect, test } from "vitest";
import { readEvent } from "../events/read-event.ts";
import { wireReferral, wireResult } from "../testing/wire-samples.ts";
import { listedReferralSchema, referralSchema } from "./referral.ts";
import { listedResultSchema, resultSchema } from "./result.ts";

const REFERRAL = "0b9d7a86-5c1e-4c5e-9f0c-1f8f3c1d2a01";
const RESULT = "7d2f1c34-8a0b-4d3e-b1a2-9c8d7e6f5a02";
const upper = { uuid: REFERRAL.toUpperCase(), resultsUuid: RESULT.toUpperCase() };
const upperResult = { uuid: RESULT.toUpperCase(), referralUuid: REFERRAL.toUpperCase() };

test("uuids are read as the database writes them", () => {
  const referral = referralSchema.parse(wireReferral(upper));
  expect(referral).toMatchObject({ uuid: REFERRAL, resultsUuid: RESULT });
  const result = resultSchema.parse(wireResult(upperResult));
  expect(result).toMatchObject({ uuid: RESULT, referralUuid: REFERRAL });
  expect(listedReferralSchema.parse(wireReferral(upper)).uuid).toBe(REFERRAL);
  expect(listedResultSchema.parse(wireResult(upperResult))).toMatchObject({
    ...{ uuid: RESULT, referralUuid: REFERRAL },
  });
  const body = { id: "1", type: "referral.issued", uuid: upper.uuid };
  expect(readEvent(Buffer.from(JSON.stringify(body)), {})).toMatchObject({
    referralUuid: REFERRAL,
  });
});

test.each([" PW5500-0123456789AB", "pw5500-0123456789ab", "PW5500-0123456789AB    "])(
  "a reference number of ours that comes back as %j is the one that was sent",
  (referenceNumber) => {
    const ours = { referenceNumber: "PW5500-0123456789AB" };
    expect(referralSchema.parse(wireReferral({ referenceNumber }))).toMatchObject(ours);
    expect(listedReferralSchema.parse(wireReferral({ referenceNumber }))).toMatchObject(ours);
    expect(resultSchema.parse(wireResult({ referenceNumber }))).toMatchObject(ours);
  },
);

test("somebody else's reference number stays as they wrote it", () => {
  const referenceNumber = "Ward 3 ";
  expect(referralSchema.parse(wireReferral({ referenceNumber }))).toMatchObject({
    referenceNumber,
  });
});
