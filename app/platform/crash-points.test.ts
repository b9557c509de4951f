import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { CRASH_POINTS } from "./crash-points.ts";

/** Every call in the app, by the name it gives. */
function calls(): string[] {
  const app = fileURLToPath(new URL("..", import.meta.url));
  const files = globSync("**/*.ts", { cwd: app }).filter(
    (file) => !file.includes("generated/") && !file.endsWith(".test.ts"),
  );
  return files.flatMap((file) =>
    [...readFileSync(`${app}${file}`, "utf8").matchAll(/\bcrashPoint\("([^"]+)"\)/g)].map(
      ([, name = ""]) => name,
    ),
  );
}

test("each point is one place in the code, and each place is on the list", () => {
  expect(calls().sort()).toEqual(Object.keys(CRASH_POINTS).sort());
});

test("there are enough of them to speak of every step", () => {
  expect(Object.keys(CRASH_POINTS).length).toBeGreaterThanOrEqual(40);
});
