import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Which database `npm run migrate -- status` asks; nothing answers at any of them. */
function asked(settings: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), "pathway-prisma-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const config = join(folder, "tell.mjs");
  writeFileSync(
    config,
    `const { default: config } = await import(${JSON.stringify(join(root, "prisma.config.ts"))});
     process.stdout.write(config.datasource.url);`,
  );
  const { stdout } = spawnSync(process.execPath, [config], {
    encoding: "utf8",
    env: { ...process.env, DATABASE_URL: "", DATABASE_DIRECT_URL: "", ...settings },
  });
  return stdout;
}

test("Prisma's own commands ask PostgreSQL itself, not the proxy before it", () => {
  const DATABASE_URL = "postgresql://owner@proxy.test/pathway";
  const DATABASE_DIRECT_URL = "postgresql://owner@server.test/pathway";
  expect(asked({ DATABASE_URL })).toBe(DATABASE_URL);
  expect(asked({ DATABASE_URL, DATABASE_DIRECT_URL })).toBe(DATABASE_DIRECT_URL);
});

test("Prisma's own commands ask no database that nobody named", () => {
  expect(new URL(asked({})).port).toBe("1");
});

test("Prisma's own commands read .env, as npm run migrate does", () => {
  // Another program shows its options; the real one would need a file at the root of the checkout.
  const { stdout } = spawnSync(process.execPath, ["tools/run.mjs", "migrate", "status"], {
    cwd: root,
    encoding: "utf8",
    env: {
      ...process.env,
      DATABASE_URL: "",
      DATABASE_DIRECT_URL: "",
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent("if (process.argv[1]?.includes('prisma/build')) { console.log(process.execArgv.join(' ')); process.exit(0); }")}`,
    },
  });
  expect(stdout).toContain("--env-file-if-exists=.env");
});
