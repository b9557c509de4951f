import { defineConfig } from "vitest/config";
import { TellLeftOut } from "./test/setup/tell-left-out.ts";
import { TellSecondTries } from "./test/setup/tell-second-tries.ts";
import { WorldOrder } from "./test/setup/world-order.ts";
import { LONG_FILES } from "./tools/long-files.mjs";

const DATABASE_SETUP = "test/database/global-setup.ts";
const WORLD_SETUP = "test/setup/world-template.ts";
const setupFiles = ["test/setup/no-unexpected-errors.ts"];
/**
 * Modules are read once for all files of a process, which was two fifths of the whole time, and worlds and browsers are shared
 * (test/harness/share-world.ts). A process that collects its memory less often needs less of a processor: it may use so much from
 * its start, instead of growing there by one collection after the other (docs/decisions/0160).
 */
const SHARED = {
  setupFiles,
  // A second, which is the default, says more of the machine than of the app.
  expect: { poll: { timeout: 15_000 } },
  isolate: false,
  execArgv: ["--max-semi-space-size=64", "--min-semi-space-size=64", "--initial-heap-size=1024"],
};
/** A machine may have so much else to do that a command or a migration takes ten times as long as on a quiet one. */
const LIMITS = { testTimeout: 120_000, hookTimeout: 180_000 };
/**
 * Tests that start processes and end them: some die, fall silent or are several. They wait for starts and for others to take over.
 * `npm run soak` has them, and so has every landing (docs/decisions/0146).
 */
const PROCESSES = [
  "app/{access-at-start,pooled-transactions}.test.ts",
  "test/chaos/standby.test.ts",
  "test/flows/{behind-pgbouncer,graceful-stop,is-it-moving,several-webs,survival,takeover,traces}.test.ts",
  "test/harness/world.test.ts",
];
/** Deaths and outages of a whole world, of which each says within which time work has to move again: `npm run soak`. */
const CHAOS = ["test/chaos/{citus,failover,outage,short}.test.ts"];
/** Long ways of an operator, which may take their time: `npm run soak` walks them while the others wait. */
const DRILLS = [
  "test/chaos/{moving-documents,real-object-store}.test.ts",
  "test/{restore,rollout}/*.test.ts",
];

/** `npm test` without words leaves out what takes long (docs/decisions/0189). */
const LEFT_OUT = process.env.PATHWAY_TESTS === "quick" ? LONG_FILES : [];

/** Whole worlds of several processes each. One wait may take a minute and a half (sandbox/world/eventually.ts), and a test has several. */
const WORLD = {
  ...SHARED,
  setupFiles: [...setupFiles, "test/setup/fetch-anew.ts"],
  globalSetup: WORLD_SETUP,
  testTimeout: 240_000,
  hookTimeout: 360_000,
};

const BROWSER = {
  ...WORLD,
  include: ["test/browser/**/*.test.{ts,tsx}"],
  // Only a wait for the page is tried again. A wrong row, number or text never is (docs/decisions/0143).
  retry: { count: 1, condition: /Timeout \d+ms exceeded/ },
};

export default defineConfig({
  test: {
    // Four at a time for two cores: files of the app wait for PostgreSQL, flows for whole worlds. All projects stand in one
    // queue, so that no core waits for the last file of one of them (docs/decisions/0105).
    maxWorkers: 4,
    sequence: { sequencer: WorldOrder },
    reporters: ["default", new TellSecondTries(), new TellLeftOut()],
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
          ...SHARED,
          setupFiles: [...setupFiles, "test/setup/statements-name-their-shop.ts"],
          include: [
            "app/**/*.test.{ts,tsx}",
            "test/{database,ops,schema,model,upgrade}/**/*.test.ts",
          ],
          exclude: [...PROCESSES, ...LEFT_OUT],
          globalSetup: DATABASE_SETUP,
          ...LIMITS,
        },
      },
      {
        test: {
          name: "extensions",
          ...SHARED,
          include: ["extensions/**/*.test.{ts,tsx}"],
          ...LIMITS,
        },
      },
      {
        test: {
          name: "sandbox",
          ...SHARED,
          include: ["sandbox/**/*.test.{ts,tsx}", "tools/**/*.test.ts", "bench/**/*.test.ts"],
          // Tools that are installed apart have packages of their own, with tests.
          exclude: ["**/node_modules/**", ...LEFT_OUT],
          ...LIMITS,
        },
      },
      {
        test: {
          name: "flows",
          ...WORLD,
          include: ["test/**/*.test.{ts,tsx}"],
          exclude: [
            "test/{browser,database,ops,schema,model,upgrade}/**",
            ...[...PROCESSES, ...CHAOS, ...DRILLS, ...LEFT_OUT],
          ],
        },
      },
      { test: { name: "browser", ...BROWSER, exclude: LEFT_OUT } },
      {
        test: {
          ...{ name: "processes", ...WORLD },
          globalSetup: [DATABASE_SETUP, WORLD_SETUP],
          include: PROCESSES,
        },
      },
      ...Object.entries({ chaos: CHAOS, drills: DRILLS }).map(([name, include]) => ({
        test: {
          ...{ name, include, setupFiles: WORLD.setupFiles },
          ...{ globalSetup: WORLD_SETUP, expect: SHARED.expect },
          ...{ testTimeout: WORLD.testTimeout, hookTimeout: WORLD.hookTimeout },
          sequence: { groupOrder: 1 },
        },
      })),
    ],
  },
});
