import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createConcurrencyLimit } from "./concurrency-limit.ts";
import { createThrottle } from "./throttle.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Lets time pass at one go: what another file of this process has left behind cannot move the clock meanwhile. */
async function pass(ms: number): Promise<void> {
  vi.advanceTimersByTime(ms);
  await new Promise((resolve) => process.nextTick(resolve));
}

test("lets nobody wait below the pace, and everybody in turn above it", async () => {
  const pace = createThrottle({ perSecond: 500, waiting: 1_000 });
  const passed: number[] = [];
  for (let n = 0; n < 100; n++) void pace.turn().then(() => passed.push(n));
  await pass(0);
  expect(passed).toHaveLength(10);
  await pass(100);
  expect(passed).toHaveLength(60);
  await pass(100);
  expect(passed).toEqual(Array.from({ length: 100 }, (_, n) => n));
});

test("turns away who comes when too many wait", async () => {
  const pace = createThrottle({ perSecond: 50, waiting: 2 });
  const turns = Array.from({ length: 5 }, () => pace.turn());
  await pass(1_000);
  expect(await Promise.all(turns)).toEqual([true, true, true, false, false]);
});

test("gives a place to the next who waits, once", async () => {
  const limit = createConcurrencyLimit({ atOnce: 1, waiting: 1 });
  const first = await limit.enter();
  const second = limit.enter();
  expect(await limit.enter()).toBeNull();
  first?.();
  first?.();
  const leave = await second;
  expect(leave).not.toBeNull();
  const third = limit.enter();
  const fourth = limit.enter();
  expect(await fourth).toBeNull();
  leave?.();
  expect(await third).not.toBeNull();
});

test("gives a limit's place out again no sooner than its pace allows", async () => {
  const limit = createConcurrencyLimit({ atOnce: 1, waiting: 5, everyMs: 100 });
  (await limit.enter())?.();
  let isIn = false;
  void limit.enter().then(() => {
    isIn = true;
  });
  await pass(50);
  expect(isIn).toBe(false);
  await pass(60);
  expect(isIn).toBe(true);
});
