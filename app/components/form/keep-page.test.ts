import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROUTES = join(import.meta.dirname, "../../routes");

test("every page of the admin that answers forms keeps what was typed when no answer comes", () => {
  const pages = globSync("app*/route.tsx", { cwd: ROUTES }).filter((name) =>
    /^export (const|async function) action/m.test(readFileSync(join(ROUTES, name), "utf8")),
  );
  expect(pages.length).toBeGreaterThan(15);
  const forgetful = pages.filter((name) => {
    const text = readFileSync(join(ROUTES, name), "utf8");
    return !(
      text.includes("export const clientAction = keepPage;") &&
      text.includes("export const shouldRevalidate = rereadAnswered;")
    );
  });
  expect(forgetful).toEqual([]);
});
