import { globSync, readFileSync } from "node:fs";
import { dirname, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { MODULE_ORDER } from "./import-rules.mjs";

const app = fileURLToPath(new URL("../../app/", import.meta.url));
const page = readFileSync(new URL("../../docs/architecture.md", import.meta.url), "utf8");

/** The rooms of the app. Files beside them, which join the rooms, may import all, and are left out. */
const ROOMS = [
  ...["routes", "components", "web", "commands", "queue", "jobs", "clients"],
  ...MODULE_ORDER,
  "platform",
];

/** The room that a file of `app` is in. */
const roomOf = (path: string) => /^(?:modules\/)?([^/]+)\//.exec(path)?.[1] ?? "";

/** The rooms that each room imports. */
const imports = new Map(ROOMS.map((room) => [room, new Set<string>()]));
for (const file of globSync("**/*.{ts,tsx}", { cwd: app })) {
  if (/\.test\.|(^|\/)testing\//.test(file)) continue;
  const text = readFileSync(`${app}${file}`, "utf8");
  for (const [, to = ""] of text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)) {
    const other = roomOf(posix.join(dirname(file), to));
    if (other !== roomOf(file) && imports.has(other)) imports.get(roomOf(file))?.add(other);
  }
}

/** The rooms that can be reached from a room, itself only in a circle. */
function reached(from: string, seen = new Set<string>()): Set<string> {
  for (const next of imports.get(from) ?? [])
    if (!seen.has(next)) {
      seen.add(next);
      reached(next, seen);
    }
  return seen;
}

test("goes in one direction, without a circle of rooms", () => {
  expect(ROOMS.filter((room) => reached(room).has(room))).toEqual([]);
});

test("is the picture in docs/architecture.md", () => {
  const [, picture] = page.match(/```mermaid\n(flowchart TD[\s\S]*?)```/) ?? [];
  expect(picture).toBe(draw());
});

/** An arrow for each import between rooms, but for those that follow from others. */
function draw(): string {
  const arrows = ROOMS.flatMap((from) => {
    const direct = [...(imports.get(from) ?? [])];
    const isNeeded = (to: string) => !direct.some((via) => via !== to && reached(via).has(to));
    const needed = ROOMS.filter((to) => direct.includes(to) && isNeeded(to));
    return needed.map((to) => `  ${from} --> ${to}\n`);
  });
  return `flowchart TD\n${arrows.join("")}`;
}
