import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { regularly } from "./regularly.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("does a failed turn again after 10 s, and rests for an hour after a good one", async () => {
  const told: string[] = [];
  const loop = { turned: () => told.push("turned"), failed: () => told.push("failed") };
  let isBroken = true;
  const turns = regularly(loop, { firstMs: 1_000, everyMs: 3_600_000 }, async () => {
    if (isBroken) throw new Error("the database is away");
  });
  await vi.advanceTimersByTimeAsync(1_000);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(told).toEqual(["failed", "failed"]);
  isBroken = false;
  await vi.advanceTimersByTimeAsync(10_000);
  await vi.advanceTimersByTimeAsync(3_599_000);
  expect(told).toEqual(["failed", "failed", "turned"]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(told).toHaveLength(4);
  turns.stop();
  await vi.advanceTimersByTimeAsync(7_200_000);
  expect(told).toHaveLength(4);
});
