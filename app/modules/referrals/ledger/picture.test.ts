import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { REQUEST_STATES } from "../request.ts";
import type { LedgerEvent } from "./events.ts";
import { EVENTS, everyCase } from "./testing/every-case.ts";

const CASES = everyCase();

test("is the picture in docs/architecture.md", () => {
  const page = readFileSync(new URL("../../../../docs/architecture.md", import.meta.url), "utf8");
  const [, picture] = page.match(/```mermaid\n(stateDiagram-v2[\s\S]*?)```/) ?? [];
  expect(picture).toBe(draw());
});

/** Every way from one state to another, by the events that lead there. */
function draw(): string {
  const ways = REQUEST_STATES.flatMap((from) =>
    REQUEST_STATES.flatMap((to) => {
      const kinds = CASES.filter(({ request, step }) => request.state === from && step.to === to);
      const events = new Set(
        from === to ? [] : kinds.map(({ event }) => event.kind).toSorted(byKind),
      );
      return events.size > 0 ? [`  ${from} --> ${to}: ${[...events].join(", ")}\n`] : [];
    }),
  );
  return `stateDiagram-v2\n  [*] --> awaiting_details: opened\n${ways.join("")}`;
}

const ORDER = [...new Set(EVENTS.map(({ kind }) => kind))];
const byKind = (a: LedgerEvent["kind"], b: LedgerEvent["kind"]) =>
  ORDER.indexOf(a) - ORDER.indexOf(b);

test("is asked by apply alone: nothing else in the app moves a request", () => {
  const app = fileURLToPath(new URL("../../../", import.meta.url));
  const movers = globSync("**/*.{ts,tsx}", { cwd: app }).filter(
    (file) =>
      !/\.test\.|generated\//.test(file) &&
      /requests\s*\.write\(/.test(readFileSync(`${app}${file}`, "utf8")),
  );
  expect(movers).toEqual(["modules/referrals/apply.ts"]);
});
