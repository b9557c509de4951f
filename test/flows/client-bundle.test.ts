import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ASSETS = fileURLToPath(new URL("../../build/client/assets", import.meta.url));

/** Words that only the code contains that reads forms and answers on the server. */
const SERVER_ONLY = ["ZodError", "safeParse", "PrismaClient", "pgboss"];

test("browsers are sent nothing that only the server needs", () => {
  const scripts = readdirSync(ASSETS).filter((name) => name.endsWith(".js"));
  expect(scripts.length).toBeGreaterThan(20);
  const found = scripts.flatMap((name) => {
    const text = readFileSync(join(ASSETS, name), "utf8");
    return SERVER_ONLY.filter((word) => text.includes(word)).map((word) => `${name}: ${word}`);
  });
  expect(found).toEqual([]);
});
