import { expect, test } from "vitest";
import { MAX_WINDOW_MS, pausedUntil } from "./step-up.ts";

const NOW = new Date("2026-11-20T12:00:00Z");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const at = (ms: number) => new Date(NOW.getTime() + ms);

/** Codes of these moments, each with so many wrong tries, oldest first. */
const codes = (...minutesAgo: number[]) =>
  minutesAgo.map((minutes) => ({ at: at(-minutes * MINUTE), failedTries: 0 }));
const tried = (...tries: [minutesAgo: number, failedTries: number][]) =>
  tries.map(([minutes, failedTries]) => ({ at: at(-minutes * MINUTE), failedTries }));
const codesEnd = (list: ReturnType<typeof codes>) =>
  pausedUntil(list, { limited: "codes", now: NOW });
const triesEnd = (list: ReturnType<typeof tried>) =>
  pausedUntil(list, { limited: "tries", now: NOW });

test("looks back a day", () => {
  expect(MAX_WINDOW_MS).toBe(24 * HOUR);
});

test("mails five codes an hour, and the next when the first is an hour old", () => {
  expect(codesEnd([])).toBeNull();
  expect(codesEnd(codes(50, 40, 30, 20))).toBeNull();
  expect(codesEnd(codes(50, 40, 30, 20, 10))).toEqual(at(10 * MINUTE));
  expect(codesEnd(codes(50, 40, 30, 20, 10, 5))).toEqual(at(20 * MINUTE));
  expect(codesEnd(codes(60, 40, 30, 20, 10))).toBeNull();
});

test("mails ten codes a day", () => {
  const hours = (...list: number[]) => codes(...list.map((hour) => hour * 60));
  expect(codesEnd(hours(23, 21, 19, 17, 15, 13, 11, 9, 7))).toBeNull();
  expect(codesEnd(hours(23, 21, 19, 17, 15, 13, 11, 9, 7, 5))).toEqual(at(HOUR));
  expect(codesEnd(hours(24, 21, 19, 17, 15, 13, 11, 9, 7, 5))).toBeNull();
});

test("takes five wrong tries an hour, of whatever codes", () => {
  expect(triesEnd(tried([50, 2], [10, 2]))).toBeNull();
  expect(triesEnd(tried([50, 2], [10, 3]))).toEqual(at(10 * MINUTE));
  expect(triesEnd(tried([50, 0], [10, 5]))).toEqual(at(50 * MINUTE));
  expect(triesEnd(tried([60, 2], [10, 3]))).toBeNull();
});

test("takes fifteen wrong tries a day", () => {
  const hour = 60;
  const four = (hours: number): [number, number] => [hours * hour, 4];
  expect(triesEnd(tried(four(20), four(15), four(10), [5 * hour, 2]))).toBeNull();
  expect(triesEnd(tried(four(20), four(15), four(10), [5 * hour, 3]))).toEqual(at(4 * HOUR));
});

test("goes on when the later of both limits allows it", () => {
  const day = tried([20 * 60, 4], [15 * 60, 4], [10 * 60, 4]);
  expect(triesEnd([...day, ...tried([10, 5])])).toEqual(at(4 * HOUR));
  expect(triesEnd([...tried([23.5 * 60, 10]), ...tried([10, 5])])).toEqual(at(50 * MINUTE));
});
