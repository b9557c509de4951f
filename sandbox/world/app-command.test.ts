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
