import { spawnSync } from "node:child_process";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";

const PROCESS = pathToFileURL(`${import.meta.dirname}/process.ts`).href;
const PROGRAM = `
  import { registerHooks } from "node:module";
  const read = [];
  registerHooks({
    load(url, context, next) {
      read.push(url);
      return next(url, context);
    },
  });
  await import(${JSON.stringify(PROCESS)});
  console.log(JSON.stringify(read));
`;

test("before its first answer a process reads nothing that no message needs", () => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--input-type=module", "--eval", PROGRAM],
    { encoding: "utf8", timeout: 60_000 },
  );
  const read: string[] = JSON.parse(stdout || "[]");
  expect(stderr).toBe("");
  expect(read).toContain(PROCESS);
  const unneeded =
    /background\.ts|tenant-rows\.ts|install-shop\.ts|referral-service\/client\.ts|jobs\/handlers|@opentelemetry|@shopify\/|\/express\/|nodemailer|\/build\/server\//;
  expect(read.filter((url) => unneeded.test(url))).toEqual([]);
});
