import { expect, test } from "vitest";
import { readSelection } from "./selection-text.ts";

test("a search that is too long finds what begins so, and never everything", () => {
  const long = `${"sam.chen+".repeat(20)}@example.com`;
  const { search } = readSelection(new URLSearchParams({ q: ` ${long}` }));
  expect(search).toBe(long.slice(0, 100));
  const faces = readSelection(new URLSearchParams({ q: "😀".repeat(150) })).search;
  expect(faces).toBe("😀".repeat(100));
});
