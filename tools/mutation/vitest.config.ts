import { defineConfig } from "vitest/config";
import { TESTS } from "./targets.ts";

/** The tests that mutants have to get past: plain ones, with one seed, so that two runs find the same. */
export default defineConfig({
  test: {
    include: [...TESTS],
    setupFiles: ["test/setup/no-unexpected-errors.ts", "tools/mutation/one-seed.ts"],
    // As in vitest.config.ts. On a busy machine a test that was only slow would count as one that noticed.
    testTimeout: 120_000,
  },
});
