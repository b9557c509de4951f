import { defineConfig } from "vitest/config";

const DATABASE_SETUP = "test/database/global-setup.ts";
const setupFiles = ["test/setup/no-unexpected-errors.ts"];

export default defineConfig({
  test: {
    // Two at a time: files share one PostgreSQL, and flows start whole worlds.
    maxWorkers: 2,
    // Taken on request (npm run coverage): it makes the tests of the app a sixth slower.
    coverage: {
      provider: "v8",
      include: ["app/**/*.{ts,tsx}"],
      exclude: ["app/generated/**", "**/testing/**", "**/*.test.{ts,tsx}"],
      reporter: ["json-summary"],
      reportsDirectory: ".cache/coverage",
    },
    projects: [
      {
        test: {
          name: "app",
          setupFiles,
          include: ["app/**/*.test.{ts,tsx}", "test/{database,schema,model,upgrade}/**/*.test.ts"],
          globalSetup: DATABASE_SETUP,
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "extensions",
          setupFiles,
          include: ["extensions/**/*.test.{ts,tsx}"],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: "sandbox",
          setupFiles,
          include: ["sandbox/**/*.test.{ts,tsx}", "tools/**/*.test.ts", "bench/**/*.test.ts"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        // Whole worlds of several processes each, when the others are done.
        test: {
          name: "flows",
          setupFiles,
          include: ["test/**/*.test.{ts,tsx}"],
          exclude: ["test/{browser,database,schema,model,upgrade}/**"],
          sequence: { groupOrder: 1 },
          testTimeout: 90_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "browser",
          setupFiles,
          include: ["test/browser/**/*.test.{ts,tsx}"],
          sequence: { groupOrder: 1 },
          testTimeout: 90_000,
          hookTimeout: 120_000,
          // A browser may be slower to draw than a test waits. What needed its second try is named in the report; what
          // is wrong with the ledger once is wrong, so that nothing else has one.
          retry: 1,
        },
      },
    ],
  },
});
