import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { APP } from "./app-command.ts";
import { REPOSITORY } from "./program.ts";

test.each(["tools/run.mjs", "Dockerfile"])("%s starts the app as the sandbox does", (file) => {
  const text = readFileSync(join(REPOSITORY, file), "utf8");
  for (const [name, value] of Object.entries(APP.env))
    expect(text).toMatch(new RegExp(`${name}(=|: ")${value}`));
  const words = text.match(/\[\s*("[^\]]*app\/server\.ts"[^\]]*)\]/);
  const command = words?.[1] ?? "";
  for (const part of [...APP.nodeFlags, APP.file]) expect(command).toContain(`"${part}"`);
});

test.each(["compose.yaml", "ops/kubernetes/worker.yaml"])(
  "%s starts a worker as the sandbox does",
  (file) => {
    const text = readFileSync(join(REPOSITORY, file), "utf8");
    const command = ["node", ...APP.nodeFlags, ...APP.workerFlags, APP.file];
    const words = command.map((word) => `"${word}"`).join(", ");
    expect(text.split(`command: [${words}]`)).toHaveLength(2);
  },
);

test("npm start starts a worker as the sandbox does", () => {
  const text = readFileSync(join(REPOSITORY, "tools/run.mjs"), "utf8");
  const words = APP.workerFlags.map((word) => `"${word}"`).join(", ");
  expect(text).toContain(`WORKER_FLAGS = [${words}];`);
  expect(text).toContain(
    'workerFlags = process.env.PATHWAY_ROLES === "worker" ? WORKER_FLAGS : []',
  );
});
