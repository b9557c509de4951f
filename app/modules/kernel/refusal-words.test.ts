import { expect, test } from "vitest";
import { describeRefused } from "./refusal-words.ts";

const lastAt = new Date(0);

test("says how many messages were refused and why, and nothing when there are none", () => {
  expect(describeRefused([])).toBeNull();
  expect(
    describeRefused([
      { reason: "other_shop", count: 2, lastAt },
      { reason: "not_confirmed", count: 1, lastAt },
    ])?.sentence,
  ).toBe(
    "3 messages in Shopify’s name were refused in the last 24 hours: 2 naming another shop, 1 not confirmed by Shopify.",
  );
});
