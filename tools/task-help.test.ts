import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const { scripts } = JSON.parse(readFileSync(`${root}/package.json`, "utf8"));

test.each(Object.keys(scripts))(
  "npm run %s -- --help says how it is called, does nothing, and ends with 0",
  (task) => {
    const { status, stdout } = spawnSync(process.execPath, ["tools/run.mjs", task, "--help"], {
      cwd: root,
      encoding: "utf8",
      // Each task that would do something needs one of these.
      env: { ...process.env, DATABASE_URL: "", SHOPIFY_APP_URL: "" },
    });
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringContaining(`npm run ${task}`),
    });
  },
);
