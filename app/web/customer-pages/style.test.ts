import { expect, test } from "vitest";
import { foreignClasses, STYLED } from "./testing/foreign-classes.ts";

test("every class of the style sheet carries the prefix that no theme uses", () => {
  expect(STYLED.length).toBeGreaterThan(20);
  expect(STYLED.filter((name) => !name.startsWith("pw-"))).toEqual([]);
});

test("a class without the prefix, or without a style, is found on a page", () => {
  expect(foreignClasses('<p class="pw-card card"><b class="pw-crad">')).toEqual([
    "card",
    "pw-crad",
  ]);
});
