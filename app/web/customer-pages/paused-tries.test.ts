import { expect, test } from "vitest";
import { codePage } from "./code-page.tsx";
import { hostedPage, NO_SHOP } from "./page-response.tsx";
import { passcodePage } from "./share-page.tsx";

const CONTEXT = { base: "", formToken: "t", timeZone: "Australia/Sydney" };
const NOW = new Date("2026-12-01T02:00:00Z");

const codeIn = (seconds: number) => {
  const pausedUntil = new Date(NOW.getTime() + seconds * 1_000);
  return codePage({ to: "k•••@example.com", hasCode: true, pausedUntil }, CONTEXT, { now: NOW });
};
const passcodeIn = (seconds: number) => passcodePage({ help: NO_SHOP, pausedSeconds: seconds });

test.each([
  ["codes", 30, codeIn(30), "Try again in 1 minute."],
  ["codes", 90, codeIn(90), "Try again in 2 minutes."],
  ["passcodes", 30, passcodeIn(30), "nobody can try again for 1 minute."],
  ["passcodes", 90, passcodeIn(90), "nobody can try again for 2 minutes."],
] as const)("says when %s open again after %i seconds", async (_, __, page, sentence) => {
  expect(await hostedPage(page, { help: NO_SHOP }).text()).toContain(sentence);
});
