import { expect, test } from "vitest";
import { API_VERSION, versionEndsAt } from "./api-version.ts";

test("a version may end twelve months after the month that it is named by", () => {
  expect(new Date(versionEndsAt("2026-07")).toISOString()).toBe("2027-07-01T00:00:00.000Z");
  expect(new Date(versionEndsAt("2026-10")).toISOString()).toBe("2027-10-01T00:00:00.000Z");
  expect(() => versionEndsAt("unstable")).toThrow("unstable");
});

test("the app's version has an end", () => {
  expect(versionEndsAt(API_VERSION)).toBeGreaterThan(0);
});
