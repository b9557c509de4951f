import { defineConfig } from "vitest/config";
import { TESTS } from "./targets.ts";

/** The tests that mutants have to get past: plain ones, with one seed, so that two runs find the same. */
export default defineConfig({
  test: {
    include: [...TESTS],
    setupFiles: ["test/setup/no-unexpected-errors.ts", "tools/mutation/one-seed.ts"],
  },
});
