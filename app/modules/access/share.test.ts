import { describe, expect, test } from "vitest";
import { hasShareEnded, pausedShareUntil, type ResultShare } from "./share.ts";

const NOW = new Date("2026-11-26T00:00:00Z");
const ago = (ms: number) => new Date(NOW.getTime() - ms);
const HOUR = 3_600_000;

const SHARE: ResultShare = {
  ...{ id: "share", requestId: "request", resultId: "result", owner: "buyer", customerId: null },
  ...{ releasedAt: ago(HOUR), createdAt: ago(HOUR), expiresAt: new Date(NOW.getTime() + 1) },
  ...{ revokedAt: null, failedTries: 0, lastFailedAt: null },
};

describe("wrong passcodes", () => {
  const paused = (failedTries: number, lastFailedAt: Date | null = NOW) =>
    pausedShareUntil({ failedTries, lastFailedAt }, NOW);

  test("pause a share at every fifth, for an hour", () => {
    for (const tries of [5, 10, 15]) expect(paused(tries)).toEqual(new Date(NOW.getTime() + HOUR));
    expect(paused(5, ago(HOUR - 1))).toEqual(new Date(NOW.getTime() + 1));
    expect(paused(5, ago(HOUR))).toBeNull();
  });

  test("leave the tries between them, which count from a fifth to the next", () => {
    for (const tries of [0, 1, 4, 6, 9]) expect(paused(tries)).toBeNull();
    expect(paused(0, null)).toBeNull();
  });

  test("pause nothing once the clock was set back behind them", () => {
    const ahead = (ms: number) => new Date(NOW.getTime() + ms);
    expect(paused(5, ahead(60_000))).toEqual(ahead(HOUR + 60_000));
    expect(paused(5, ahead(60_001))).toBeNull();
  });

  test("end the share at the twentieth", () => {
    expect(hasShareEnded({ ...SHARE, failedTries: 19 }, NOW)).toBe(false);
    expect(hasShareEnded({ ...SHARE, failedTries: 20 }, NOW)).toBe(true);
  });
});

test("a share ends with its last moment, and when its owner ends it", () => {
  expect(hasShareEnded(SHARE, NOW)).toBe(false);
  expect(hasShareEnded({ ...SHARE, expiresAt: NOW }, NOW)).toBe(true);
  expect(hasShareEnded({ ...SHARE, revokedAt: ago(1) }, NOW)).toBe(true);
});
