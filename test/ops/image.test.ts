import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const linesOf = (file: string) => readFileSync(join(root, file), "utf8").split("\n");

/** Whether a file is sent to whoever builds the image: the last line of `.dockerignore` that fits it decides. */
function isSent(path: string): boolean {
  const fits = (pattern: string) =>
    pattern === "*" ||
    path === pattern ||
    path.startsWith(`${pattern}/`) ||
    (pattern.startsWith("**/*") && path.endsWith(pattern.slice("**/*".length)));
  const last = linesOf(".dockerignore").findLast((line) => line && fits(line.replace(/^!/, "")));
  return last?.startsWith("!") ?? true;
}

/** The paths that the stage `build` copies from there. */
function copied(): string[] {
  const lines = linesOf("Dockerfile");
  const from = (name: string) => lines.findIndex((line) => line.endsWith(` AS ${name}`));
  return lines
    .slice(from("build"), from("migrate"))
    .flatMap((line) => /^COPY (.+) \S+$/.exec(line)?.[1]?.split(" ") ?? []);
}

/** Files outside `app` that a source of it names. */
function reached(): { from: string; to: string }[] {
  const sources = readdirSync(join(root, "app"), { recursive: true, encoding: "utf8" })
    .map((name) => join("app", name))
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|\/testing\/|generated/.test(name));
  return sources.flatMap((from) =>
    [...readFileSync(join(root, from), "utf8").matchAll(/(?:from|import\() ?"(\.[^"]+)"/g)]
      .map(([, name = ""]) => ({ from, to: relative(root, join(root, dirname(from), name)) }))
      .filter(({ to }) => !to.startsWith("app/")),
  );
}

test("has whatever a source of the app reaches when the pages are built", () => {
  const all = reached();
  expect(all.length).toBeGreaterThan(5);
  const isThere = (path: string) =>
    isSent(path) && copied().some((one) => path === one || path.startsWith(`${one}/`));
  expect(all.filter(({ to }) => !isThere(to))).toEqual([]);
});

test("has no package for development where the database's owner logs in", () => {
  const stages = linesOf("Dockerfile")
    .join("\n")
    .split(/^FROM /m);
  const stage = (name: string) =>
    stages.find((text) => text.split("\n")[0]?.endsWith(` AS ${name}`));
  const [, source = ""] = /^COPY --from=(\w+) \/pathway /m.exec(stage("migrate") ?? "") ?? [];
  expect(stage(source)).toMatch(/^RUN npm prune --omit=dev$/m);
});
