import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LONG_FILES } from "./long-files.mjs";

const root = join(import.meta.dirname, "..");

test("leaves out no file that is gone, and none twice", () => {
  expect(LONG_FILES.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  expect(new Set(LONG_FILES).size).toBe(LONG_FILES.length);
});

test("keeps four in what a person waits for", () => {
  const kept = [
    "test/flows/main-job.test.ts",
    "test/browser/patient-pages.test.ts",
    "test/model/ledger-model.test.ts",
    "app/web/intake/fuzz.test.ts",
  ];
  expect(kept.filter((file) => existsSync(join(root, file)))).toEqual(kept);
  expect(LONG_FILES.filter((file) => kept.includes(file))).toEqual([]);
});
