import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compareWithKnown } from "./known-survivors.ts";

const survivor = { file: "app/a.ts", line: 'const a = b ?? "";', change: '"" → "x"' };
const entry = { ...survivor, reason: "Nobody reads it." };
const compare = (survivors: (typeof survivor)[], known: (typeof entry)[], files = ["app/a.ts"]) =>
  compareWithKnown(files, survivors, known);

test("accepts survivors that the list explains, one entry for each", () => {
  expect(compare([], [])).toEqual([]);
  expect(compare([survivor], [entry])).toEqual([]);
  expect(compare([survivor, survivor], [entry, { ...entry }])).toEqual([]);
});

test("names survivors that the list does not explain", () => {
  const told = expect.stringMatching(/^survived: app\/a\.ts/);
  expect(compare([survivor], [])).toEqual([told]);
  expect(compare([survivor, survivor], [entry])).toEqual([told]);
  expect(compare([{ ...survivor, line: "another" }], [entry])).toContainEqual(told);
});

test("names entries that do not survive any more, of the files that were looked at", () => {
  const told = expect.stringMatching(/^noticed, remove from the list: app\/a\.ts/);
  expect(compare([], [entry])).toEqual([told]);
  expect(compare([survivor], [entry, { ...entry }])).toEqual([told]);
  expect(compare([], [entry], ["app/b.ts"])).toEqual([]);
});

test("explains nothing that is not in the code any more", () => {
  const list = new URL("known-survivors.json", import.meta.url);
  const entries: (typeof entry)[] = JSON.parse(readFileSync(list, "utf8"));
  const oneLine = (text: string) => text.replaceAll(/\s+/g, " ");
  const codeOf = (file: string) => {
    const path = new URL(`../../${file}`, import.meta.url);
    return existsSync(path) ? oneLine(readFileSync(path, "utf8")) : "";
  };
  expect(entries.filter(({ file, line }) => !codeOf(file).includes(oneLine(line)))).toEqual([]);
  expect(entries.length).toBeGreaterThan(0);
});
