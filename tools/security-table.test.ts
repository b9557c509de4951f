import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const docs = new URL("../docs/", import.meta.url);
const page = readFileSync(new URL("security.md", docs), "utf8");

/** A row of the table: requirements, what they ask, and what holds them. */
const NUMBERED = /^\| ((?:\d+\.\d+\.\d+(?:, )?)+) \| [^|]+ \| (.+) \|$/gm;
const rows = [...page.matchAll(NUMBERED)].map(([, ids = "", held = ""]) => ({
  ids: ids.split(", "),
  held,
}));

test("answers every requirement of level 2 once", () => {
  const ids = rows.flatMap((row) => row.ids);
  expect(ids.length).toBe(253);
  expect(new Set(ids).size).toBe(253);
});

test("names for each a test that is there, or says why there is none", () => {
  const empty = rows.filter(
    ({ held }) =>
      !/\]\(\.\.\/[^)]+\.test\.tsx?\)|\*\*not met\*\*: \S|not applicable: \S/.test(held),
  );
  expect(empty).toEqual([]);
  const links = [...page.matchAll(/\]\((\.\.\/[^)#]+\.test\.tsx?)\)/g)].map(([, to]) => to ?? "");
  expect(links.length).toBeGreaterThan(150);
  expect(links.filter((to) => !existsSync(new URL(to, docs)))).toEqual([]);
});
