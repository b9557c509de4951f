import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "../../sandbox/store/web/testing/browser.ts";
import { judgeComfort } from "./comfort.ts";
import { sendPageAuditor } from "./page-auditor.ts";

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await launchBrowser();
  page = await browser.newPage();
});
afterAll(() => browser.close());

const faultsOf = async (body: string): Promise<string[]> => {
  await page.setContent(`<html lang="en"><title>A page</title>${body}</html>`);
  return judgeComfort(page, ["Haemoglobin"]);
};
const ours = (content: string) =>
  faultsOf(`<main class="pw-page" style="background:#fff;font-size:medium">${content}</main>`);

test("finds nothing on a page that is comfortable", async () => {
  expect(await ours("<p>Haemoglobin</p>")).toEqual([]);
});

test.each([
  [
    "a word that breaks",
    `<p style="width:60px;overflow-wrap:anywhere">Haemoglobin`,
    /broken: "Haem/,
  ],
  ["a word outside its box", `<p style="width:60px">Haemoglobin`, /out of its box: "Haem/],
  ["a page to be scrolled", `<p style="width:600px">Haemoglobin`, /320 px: wider than it/],
  ["text of a fixed size", `<p style="font-size:16px">Haemoglobin`, /200 % text: 1 stay small/],
  [
    "a small figure",
    `<p>Haemoglobin<svg><text y="9" font-size="6">12`,
    /320 px: too small: "12" 6/,
  ],
  ["a small target", `<p>Haemoglobin</p><div><a href="#x">12</a></div>`, /too small: A "12"/],
  [
    "controls that sound alike",
    `<p>Haemoglobin</p><button>End</button><button>End</button>`,
    /heard: 2 controls are called "End"/,
  ],
  ["a heading that leaves a level out", "<h1>Haemoglobin</h1><h3>Low</h3>", /heard: heading-order/],
  ["pale text", `<p style="color:#bbb">Haemoglobin`, /at night: color-contrast/],
  ["a button on paper", `<p>Haemoglobin</p><button>Pay`, /on paper: can be pressed: Pay/],
  ["what is missing on paper", "<p>Iron", /on paper: missing: Haemoglobin/],
])("finds %s", async (_, content, fault) => {
  expect(await ours(content)).toContainEqual(expect.stringMatching(fault));
});

test("finds what moves although less motion is wanted", async () => {
  const moving = `<style>@keyframes turn{to{rotate:1turn}}p{animation:turn 1s infinite}</style>`;
  expect(await ours(`${moving}<p>Haemoglobin</p>`)).toContain("moves");
});

test("judges how an extension is arranged, and leaves its look and print to its host", async () => {
  const hosted = (style: string) =>
    faultsOf(
      `<div data-extension="x"><button style="color:#bbb">1</button><p style="${style}">Iron studies`,
    );
  expect(await hosted("")).toEqual([]);
  expect(await hosted("width:20px")).toContainEqual(
    expect.stringMatching(/out of its box: "studies/),
  );
});

test("leaves the admin to the admin", async () => {
  const admin = `<body class="admin"><div data-extension="x"><p style="width:600px">Iron`;
  expect(await faultsOf(admin)).toEqual([]);
});

test("a reader without script runs none, before and after a look", async () => {
  const reader = await sendPageAuditor(await browser.newContext(), { isScriptless: true });
  const content = "<title>A page</title><main><h1>A page</h1><script>document.title='ran'</script>";
  for (const _ of ["before", "after"]) {
    await reader.page.goto(`data:text/html,<html lang="en">${content}`);
    expect(await reader.page.title()).toBe("A page");
    await reader.look("scriptless");
  }
});
