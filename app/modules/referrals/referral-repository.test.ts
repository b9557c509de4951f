import { expect, test } from "vitest";
import { DAY, sampleReferral, sampleResult } from "../../../test/samples/facts.ts";
import { isCurrent, isHeld } from "./referral-repository.ts";

test("counts a referral until it is deleted or replaced", () => {
  expect(isCurrent(sampleReferral())).toBe(true);
  expect(isCurrent(sampleReferral({ deletedAt: DAY }))).toBe(false);
  expect(isCurrent(sampleReferral({ replacedBy: "another" }))).toBe(false);
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
