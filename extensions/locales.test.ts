import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { failed, failureOf } from "./shared/failure.ts";
import { PARTS, REQUEST_STATES } from "./shared/requests.ts";
import { readLocale, wordsAt } from "./testing/host-of-locale.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const sources = (folder: string) =>
  readdirSync(join(here, folder))
    .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
    .map((name) => readFileSync(join(here, folder, name), "utf8"))
    .join("\n");

/** Keys written out in calls of words("…"). */
const keysIn = (source: string) =>
  [...source.matchAll(/words\(\s*"([^"]+)"/g)]
    .map((match) => match[1] ?? "")
    .filter((key) => key.includes(".") || key);

const SHARED = [
  "request",
  "unit",
  "state",
  "prepare",
  "documents",
  "result_link",
  "part",
  "who",
  "form",
  "hand_over",
  "failure",
  "help",
];

test.each([
  ["order-tests", ["order-tests/src", "shared"]],
  ["my-tests", ["my-tests/src", "shared"]],
  ["order-referrals", ["order-referrals/src"]],
  ["thank-you", ["thank-you/src"]],
])("every text that %s shows has words", (extension, folders) => {
  const locale = readLocale(extension);
  const keys = ["name", "description", ...folders.flatMap((folder) => keysIn(sources(folder)))];
  expect(keys.length).toBeGreaterThan(5);
  expect(keys.filter((key) => wordsAt(locale, key) === null)).toEqual([]);
});

test("every state has a name and a next step", () => {
  const locale = readLocale("order-tests");
  const keys = REQUEST_STATES.flatMap((state) => [`state.${state}.name`, `state.${state}.next`]);
  expect(keys.filter((key) => wordsAt(locale, key) === null)).toEqual([]);
});

test("every part of a unit has a name", () => {
  const locale = readLocale("order-tests");
  expect(PARTS.filter((part) => wordsAt(locale, `part.${part}`) === null)).toEqual([]);
});

test("the two customer extensions say shared things alike", () => {
  const pick = (extension: string) =>
    Object.entries(readLocale(extension) as Record<string, unknown>).filter(([key]) =>
      SHARED.includes(key),
    );
  expect(pick("order-tests")).toHaveLength(SHARED.length);
  expect(pick("my-tests")).toEqual(pick("order-tests"));
});

test.each([
  ["order-tests", ".heading"],
  ["my-tests", ".heading"],
  ["order-referrals", ""],
])("each failure that %s can meet has words", (extension, part) => {
  const locale = readLocale(extension);
  const statuses = [401, 404, 409, 429, 500].map((status) => failureOf(status, null));
  const limited = failureOf(429, { error: "too_many_requests" });
  const keys = [...statuses, limited, failed("offline")].map(
    ({ failure }) => `failure.${failure.kind}${part}`,
  );
  expect(keys.filter((key) => wordsAt(locale, key) === null)).toEqual([]);
});
