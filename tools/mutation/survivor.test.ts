import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readSurvivors } from "./survivor.ts";

/** Reports a mutant in a file of these lines. Lines and columns are counted from one. */
function told(lines: string[], start: [number, number], end: [number, number], put: string) {
  const folder = mkdtempSync(join(tmpdir(), "survivor-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const fileName = join(folder, "a.ts");
  writeFileSync(fileName, lines.join("\n"));
  const at = ([line, column]: [number, number]) => ({ line, column });
  const location = { start: at(start), end: at(end) };
  const [survivor] = readSurvivors([{ fileName, replacement: put, location }]);
  return survivor && { line: survivor.line, change: survivor.change };
}

test("tells the line, what stood in it and what was put there", () => {
  expect(told(["// A", "  if (a > b) return;"], [2, 7], [2, 12], "false")).toEqual({
    line: "if (a > b) return;",
    change: "a > b → false",
  });
});

test("tells what goes over several lines in one", () => {
  expect(told(["f(() => {", "  g();", "});"], [1, 9], [3, 2], "{}")).toEqual({
    line: "f(() => {",
    change: "{ g(); } → {}",
  });
});
