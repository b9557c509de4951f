import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { findFixedSleeps } from "./fixed-sleeps.ts";

let checkout = "";
afterEach(() => rmSync(checkout, { recursive: true, force: true }));

/** The faults of a checkout that holds one file. */
function faultsOf(text: string, name = "one.test.ts"): string[] {
  checkout = mkdtempSync(join(tmpdir(), "pathway-sleeps-"));
  mkdirSync(join(checkout, "app/queue"), { recursive: true });
  writeFileSync(join(checkout, "app/queue", name), text);
  return findFixedSleeps(checkout);
}

test.each([
  "await new Promise((resolve) => setTimeout(resolve, 50));",
  "await new Promise<void>((done) => setTimeout(done, WAIT_MS));",
  "await delay(1_500);",
  "async () => { await setTimeout(20); };",
])("refuses a test that waits for a time: %s", (text) => {
  expect(faultsOf(text)).toEqual(["app/queue/one.test.ts:1: sleeps; wait for what is to happen"]);
});

test("accepts a fake that is slow on purpose, and says so", () => {
  expect(faultsOf("// Shopify takes its time.\nawait delay(20);")).toEqual([]);
});

test.each([
  "const late = delay(10_000);",
  "setTimeout(() => response.end(), 20);",
  "await new Promise((resolve) => socket.once('close', resolve));",
])("accepts what is no waiting for a time: %s", (text) => {
  expect(faultsOf(text)).toEqual([]);
});

test("looks at tests only", () => {
  expect(faultsOf("await delay(1_000);", "one.ts")).toEqual([]);
});
