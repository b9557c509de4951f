import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const here = new URL("./", import.meta.url);
const table = readFileSync(
  fileURLToPath(new URL("../../docs/referral-service-conformance.md", here)),
  "utf8",
);

/** Rows whose last cell is "`file` name of the test". */
const proofs = table
  .split("\n")
  .map((line) => /\| `([\w/.-]+\.test\.ts)` (.+) \|$/.exec(line))
  .filter((match) => match !== null)
  .map(([, file = "", name = ""]) => ({ file, name }));

test("every proof in the conformance table is a test that exists", () => {
  expect(proofs.length).toBeGreaterThan(100);
  for (const { file, name } of proofs) {
    const path = fileURLToPath(new URL(file, here));
    expect(existsSync(path), file).toBe(true);
    expect(readFileSync(path, "utf8"), `${file}: ${name}`).toContain(`"${name}"`);
  }
});

test("no row of the table is without its proof", () => {
  const withoutGaps = table.replace(/## Gaps of[\s\S]*?(?=\n## )/, "");
  const rows = withoutGaps
    .split("\n")
    .filter((line) => line.startsWith("|") && !/^\|[-|]+\|$/.test(line))
    .filter((line) => !/\| Proof \|$/.test(line));
  expect(rows.filter((row) => !/`[\w/.-]+\.test\.ts` .+ \|$/.test(row))).toEqual([]);
});
