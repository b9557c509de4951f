import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { GUARDS } from "./ledger-guards.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

// `guards.ts` takes each of them out and runs its test, which takes too long for every day. This much is quick: a guard
// that was moved or reworded is put right in the list with it.
test.each(GUARDS)("the list of guards is up to date: $name", ({ file, from, to, test: tests }) => {
  expect(readFileSync(join(ROOT, file), "utf8").split(from)).toHaveLength(2);
  expect(to).not.toBe(from);
  expect(tests.split(" ").filter((one) => !existsSync(join(ROOT, one)))).toEqual([]);
});
