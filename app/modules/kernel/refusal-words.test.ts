import { expect, test } from "vitest";
import { describeRefused } from "./refusal-words.ts";

test("says how many messages were refused and why, and nothing when there are none", () => {
  expect(describeRefused([])).toBeNull();
  expect(
    describeRefused([
      { reason: "other_shop", count: 2 },
      { reason: "not_confirmed", count: 1 },
    ])?.sentence,
  ).toBe(
    "3 messages in Shopify’s name were refused in the last 24 hours: 2 naming another shop, 1 not confirmed by Shopify.",
  );
});
