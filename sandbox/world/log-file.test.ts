import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { followLog, lastLines } from "./log-file.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "log-file-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("the last lines are shown indented, and a file that is not there has none", () => {
  const file = join(folder, "a.log");
  expect(lastLines(file).trim()).toBe("");
  appendFileSync(file, "one\ntwo\nthree\n");
  expect(lastLines(file, 2)).toBe("    two\n    three");
});

test("passes a growing log on line by line; half a line waits for its other half", () => {
  const file = join(folder, "b.log");
  const said: string[] = [];
  const stop = followLog(file, "[app]", (text) => said.push(text));
  appendFileSync(file, "grüße\nhalf");
  stop();
  expect(said).toEqual(["[app] grüße\n"]);
});
