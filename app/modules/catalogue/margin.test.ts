import { expect, test } from "vitest";
import { marginOf } from "./margin.ts";

test.each([
  [
    "a profit, with its share of the price",
    10_000,
    6_000,
    { kind: "profit", cents: 4_000, percent: 40 },
  ],
  ["a loss, in money only", 1_000, 7_770, { kind: "loss", cents: 6_770 }],
  ["a gift", 0, 100, { kind: "loss", cents: 100 }],
  ["nothing left", 500, 500, { kind: "even" }],
  ["all of it", 500, 0, { kind: "profit", cents: 500, percent: 100 }],
])("%s", (_, price, cost, margin) => {
  expect(marginOf(price, cost)).toEqual(margin);
});
