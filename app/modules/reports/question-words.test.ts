import { expect, test } from "vitest";
import {
  askOfMany,
  askToReorder,
  askToReorderAll,
  askToRetry,
  askToWaitForDetails,
} from "./question-words.ts";

const subject = { test: "Iron studies, test 1 of 2", order: "#1001 (Sam Chen)" };
const cost = (cents: number, isEstimate = false) => ({ cents, isEstimate });

test("says on the button what ordering again costs, and of what it is", () => {
  const { text, action } = askToReorder(subject, cost(4_500));
  expect(action).toBe("Order again for $45.00");
  expect(text).toContain("Iron studies, test 1 of 2, of order #1001 (Sam Chen).");
  expect(text).toContain("$45.00");
});

test.each([
  [null, "Order again", /The price isn’t known/],
  [cost(0), "Order again", /nothing for it/],
  [cost(9_000, true), "Order again for about $90.00", /no price for bundles/],
])("says honestly what it knows of the price %j", (price, action, text) => {
  expect(askToReorder(subject, price)).toMatchObject({
    action,
    text: expect.stringMatching(text),
  });
});

test("adds up what many cost, and says how many it cannot price", () => {
  expect(askToReorderAll(3, [cost(4_500), cost(4_500), cost(1_000)], [])).toMatchObject({
    title: "Order 3 tests again?",
    action: "Order again for $100.00",
  });
  expect(askToReorderAll(2, [cost(4_500), null], [])).toMatchObject({
    action: "Order again for more than $45.00",
    text: expect.stringContaining("for 1 of 2 tests"),
  });
});

test("names no sum when more are ordered than were added up", () => {
  const { action, text } = askToReorderAll(101, [cost(4_500)], []);
  expect(action).toBe("Order again");
  expect(text).toContain("isn’t known beforehand");
});

test("names the tests that are all ordered again, and counts those that it does not name", () => {
  const few = askToReorderAll(3, [], ["Iron studies", "TSH", "TSH"]).text;
  expect(few).toMatch(/^Iron studies, TSH × 2\. Each gets/);
  const many = askToReorderAll(8, [], ["A", "B", "C", "D", "E", "F", "G"]).text;
  expect(many).toMatch(/^A, B, C, D, E and 3 other tests\. Each gets/);
});

test("warns before what may exist is sent again", () => {
  expect(askToRetry(subject, [cost(4_500)], true).text).toContain("charged twice");
  expect(askToRetry(subject, [cost(4_500)], false).text).not.toContain("charged twice");
});

test("promises no sending before other details are waited for", () => {
  const { text, action } = askToWaitForDetails(subject);
  expect(`${text} ${action}`).toContain("Nothing is sent");
  expect(`${text} ${action}`).not.toMatch(/\$|again/);
});

test("asks nothing before many are marked or looked up", () => {
  expect(askOfMany("resync", 5)).toBeNull();
  expect(askOfMany("retry", 5)?.title).toBe("Retry 5 orders?");
  expect(askOfMany("retry", null)?.action).toBe("Retry all");
});
