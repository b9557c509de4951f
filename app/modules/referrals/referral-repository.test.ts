import { expect, test } from "vitest";
import { DAY, sampleReferral, sampleResult } from "../../../test/samples/facts.ts";
import { isCurrent, isGone, isHeld } from "./referral-repository.ts";

test("counts a referral until it is deleted or replaced", () => {
  expect(isCurrent(sampleReferral())).toBe(true);
  expect(isCurrent(sampleReferral({ deletedAt: DAY }))).toBe(false);
  expect(isCurrent(sampleReferral({ replacedBy: "another" }))).toBe(false);
});

test("takes a referral for gone once it is deleted and nothing stands in its place", () => {
  expect(isGone(sampleReferral())).toBe(false);
  expect(isGone(sampleReferral({ deletedAt: DAY }))).toBe(true);
  expect(isGone(sampleReferral({ deletedAt: DAY, replacedBy: "another" }))).toBe(false);
});

test.each([
  [{}, true],
  [{ releasedAt: DAY }, false],
  [{ inReview: true }, false],
  [{ otherPerson: true }, false],
  [{ deletedAt: DAY }, false],
])("of a result with %o it says whether a person is to release it: %s", (fields, held) => {
  expect(isHeld(sampleResult(fields))).toBe(held);
});

test("takes a result that says nothing of its person for the patient's", () => {
  expect(isHeld({ releasedAt: null, inReview: false, deletedAt: null })).toBe(true);
});
