import { describe, expect, test } from "vitest";
import { DAY, sampleReferral, sampleResult } from "../../../test/samples/facts.ts";
import { datesOf, isCurrent, isGone, isHeld, isNewer, livesAgain } from "./referral-repository.ts";

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
  expect(isOlder({ changed: 17, asked: 6 }, { changed: 7, asked: 6 })).toBe(true);
});

const EARLIER = new Date(DAY.getTime() - 1);
const LATER = new Date(DAY.getTime() + 1);

test.each([
  ["before", EARLIER, true],
  ["at the same moment as", DAY, false],
  ["after", LATER, false],
])(
  "what is stored is newer than a reading without a time that was asked for %s it: %s",
  (_, askedAt, is) => {
    const stored = { serviceUpdatedAt: DAY, fetchedAt: DAY };
    expect(isNewer(stored, { updatedAt: null, askedAt })).toBe(is);
  },
);

describe("the times that a reading is stored with", () => {
  const before = { serviceCreatedAt: EARLIER, serviceUpdatedAt: LATER };
  const created = "2026-11-18T00:00:00.000Z";
  const updated = "2026-11-19T00:00:00.000Z";
  const dayBefore = new Date("2026-11-19T00:00:00Z");

  test.each([
    ["are its own", { createdAt: created, updatedAt: updated }, before, [created, updated]],
    [
      "are those of the reading before it where it names none",
      { createdAt: null, updatedAt: null },
      before,
      [EARLIER, LATER],
    ],
    [
      "are that of its creation where nothing says when it changed",
      { createdAt: created, updatedAt: null },
      null,
      [created, created],
    ],
    [
      "are a day before it was asked for where nothing is known",
      { createdAt: null, updatedAt: null },
      null,
      [dayBefore, dayBefore],
    ],
  ])("%s", (_, read, stored, [createdAt = "", updatedAt = ""]) => {
    expect(datesOf(read, stored, DAY)).toEqual({
      createdAt: new Date(createdAt),
      updatedAt: new Date(updatedAt),
    });
  });
});

test.each([
  ["by a reading that was asked for later", DAY, { deletedAt: null, askedAt: LATER }, true],
  ["by no reading of the same moment", DAY, { deletedAt: null, askedAt: DAY }, false],
  ["by no earlier reading", DAY, { deletedAt: null, askedAt: EARLIER }, false],
  ["by no reading that says so, too", DAY, { deletedAt: String(DAY), askedAt: LATER }, false],
  ["only after it was deleted", null, { deletedAt: null, askedAt: LATER }, false],
])("a deleted referral lives again %s", (_, deletedAt, read, again) => {
  expect(livesAgain(sampleReferral({ deletedAt, fetchedAt: DAY }), read)).toBe(again);
  expect(livesAgain(null, read)).toBe(false);
});
