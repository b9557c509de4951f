import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { TARGETS, TESTS } from "./targets.ts";

test.each([...Object.values(TARGETS).flat(), ...TESTS])("finds %s", (file) => {
  expect(existsSync(new URL(`../../${file}`, import.meta.url))).toBe(true);
});
