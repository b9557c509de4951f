import { expect, test } from "vitest";
import { isBackdated } from "./is-backdated.ts";

const createdAt = new Date("2026-11-26T00:00:00Z");
const placed = (msBefore: number) =>
  isBackdated({ createdAt, processedAt: new Date(createdAt.getTime() - msBefore) }, null);

test("takes an order for one of a former system when it was placed more than a week before Shopify got it", () => {
  expect(placed(7 * 86_400_000 + 1)).toBe(true);
  expect(placed(7 * 86_400_000)).toBe(false);
  expect(placed(0)).toBe(false);
  expect(placed(-30 * 86_400_000)).toBe(false);
});

test("takes none for backdated of which an earlier version kept no day", () => {
  expect(isBackdated({ processedAt: new Date(0) }, null)).toBe(false);
});

test("takes an order for one of before when it was placed more than two days before the shop first had the app", () => {
  const ofBefore = (msBefore: number) =>
    isBackdated({ createdAt, processedAt: createdAt }, new Date(createdAt.getTime() + msBefore));
  expect(ofBefore(2 * 86_400_000 + 1)).toBe(true);
  expect(ofBefore(2 * 86_400_000)).toBe(false);
  expect(ofBefore(-86_400_000)).toBe(false);
});
