import { expect, test } from "vitest";
import { DAY, sampleReferral, sampleResult } from "../../../test/samples/facts.ts";
import { isCurrent, isGone, isHeld, isNewer } from "./referral-repository.ts";

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

test("what is stored is newer than what changed before it, unless its own time lay ahead when it was read", () => {
  const minute = (n: number) => new Date(Date.UTC(2026, 10, 20, 0, n));
  const isOlder = (stored: { changed: number; asked: number }, read: typeof stored) =>
    isNewer(
      { serviceUpdatedAt: minute(stored.changed), fetchedAt: minute(stored.asked) },
      { updatedAt: minute(read.changed).toISOString(), askedAt: minute(read.asked) },
    );
  expect(isOlder({ changed: 5, asked: 6 }, { changed: 4, asked: 60 })).toBe(true);
  expect(isOlder({ changed: 5, asked: 6 }, { changed: 5, asked: 7 })).toBe(false);
  // The service's clock was set back, and what it says hours later is the truth.
  expect(isOlder({ changed: 5, asked: 6 }, { changed: 4, asked: 366 })).toBe(true);
  expect(isOlder({ changed: 5, asked: 6 }, { changed: 4, asked: 367 })).toBe(false);
  // Its clock may be ahead a little.
  expect(isOlder({ changed: 16, asked: 6 }, { changed: 7, asked: 8 })).toBe(true);
  expect(isOlder({ changed: 17, asked: 6 }, { changed: 7, asked: 8 })).toBe(false);
  // When two readings overlap, the one that was asked for later counts.
  expect(isOlder({ changed: 17, asked: 6 }, { changed: 7, asked: 5 })).toBe(true);
});
