import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

/** Files that no start imports: pages, what a process imports when it is first needed, and the operator's commands. */
const LATER = [
  "build/server/index.js",
  "app/web.ts",
  "app/web/intake/intake.ts",
  "app/metrics.ts",
  "app/platform/start-traces.ts",
  ...["admin-graphql.ts", "shopify-app.ts"].map((name) => `app/clients/shopify/${name}`),
  ...["run-affected.ts", "run-audit.ts", "run-documents.ts", "run-redactions.ts"].map(
    (name) => `app/commands/${name}`,
  ),
];

test("has in the image's folder every package that a page, a message or a command reaches", async () => {
  const folder = await mkdtemp(join(tmpdir(), "pathway-runtime-"));
  try {
    execFileSync(process.execPath, ["tools/image/collect-runtime.mjs", folder]);
    const paths = LATER.map((path) => join(folder, path));
    const script = `for (const path of ${JSON.stringify(paths)}) await import(path); process.exit(0);`;
    const run = () =>
      execFileSync(process.execPath, ["--input-type=module", "--eval", script], {
        cwd: folder,
        encoding: "utf8",
        stdio: "pipe",
      });
    expect(run).not.toThrow();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
