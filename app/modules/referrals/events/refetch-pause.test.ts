import { expect, test } from "vitest";
import { afterRest, FIRST_RESULT, isAnswered, NO_REST, pauseAfter } from "./refetch-pause.ts";

const NOW = new Date("2026-11-20T00:00:00Z");
const at = (ms: number) => new Date(NOW.getTime() + ms);

test("fetches at once what was never fetched", () => {
  expect(pauseAfter(null, NOW)).toBeNull();
  expect(pauseAfter(undefined, NOW)).toBeNull();
});

test("waits three seconds after the last fetch", () => {
  expect(pauseAfter(at(-1_000), NOW)).toEqual(at(2_000));
  expect(pauseAfter(at(-2_999), NOW)).toEqual(at(1));
  expect(pauseAfter(at(-3_000), NOW)).toBeNull();
});

test("waits for no fetch that lies ahead by more than clocks differ", () => {
  expect(pauseAfter(at(500), NOW)).toEqual(at(3_500));
  expect(pauseAfter(at(501), NOW)).toBeNull();
});

test("takes news for answered only by a later fetch", () => {
  expect(isAnswered(at(-2_000), at(-1_499), NOW)).toBe(true);
  expect(isAnswered(at(-2_000), at(-1_500), NOW)).toBe(false);
  expect(isAnswered(at(-2_000), null, NOW)).toBe(false);
  expect(isAnswered(at(-2_000), undefined, NOW)).toBe(false);
});

test("believes no fetch that lies ahead", () => {
  expect(isAnswered(at(-2_000), at(500), NOW)).toBe(true);
  expect(isAnswered(at(-2_000), at(501), NOW)).toBe(false);
});

test("lets what an event named rest, its referral for less long, for that asks for the result too", () => {
  expect(afterRest(FIRST_RESULT.referralMs, NOW)).toEqual(at(1_000));
  expect(afterRest(FIRST_RESULT.resultMs, NOW)).toEqual(at(2_000));
});

test("looks at once where nothing is to rest", () => {
  for (const restMs of Object.values(NO_REST)) expect(afterRest(restMs, NOW)).toBeNull();
  expect(NO_REST).toEqual({ referralMs: 0, resultMs: 0 });
});
