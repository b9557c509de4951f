import { AxeBuilder } from "@axe-core/playwright";
import type axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "../../sandbox/store/web/testing/browser.ts";
import { judge } from "./page-faults.ts";

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await launchBrowser();
  page = await (await browser.newContext()).newPage();
});
afterAll(() => browser.close());

/** Whatever axe finds is there in the page, in a frame and in a frame of that, and once in a shadow tree. */
const FAULTY = `<img src="x"><p style="color:#ccc;background:#fff">Pale</p><button></button>`;
const frame = (title: string, content: string) =>
  `<iframe ${title && `title="${title}"`} srcdoc="${content.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"></iframe>`;
const whole = (content: string) =>
  `<html lang="en"><title>A page</title><main><h1>A page</h1>${content}</main></html>`;

/** The faults of weight, each with where it is. */
const serious = (found: readonly axe.Result[]): string[] =>
  found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} ${target.join(" > ")}`))
    .toSorted();

test("finds in a page with frames what axe's own builder finds", async () => {
  const inner = frame("Inside", whole(FAULTY));
  await page.setContent(whole(`${FAULTY}${frame("Around", whole(`${FAULTY}${inner}`))}`));
  await page.evaluate((faulty) => {
    const host = document.querySelector("main")?.appendChild(document.createElement("div"));
    const shadow = host?.attachShadow({ mode: "open" });
    if (shadow) shadow.innerHTML = faulty;
  }, FAULTY);
  const expected = serious((await new AxeBuilder({ page }).analyze()).violations);
  expect(expected.filter((one) => one.startsWith("color-contrast"))).toHaveLength(4);
  expect(expected.filter((one) => one.startsWith("image-alt"))).toHaveLength(4);
  expect(serious(await judge(page))).toEqual(expected);
});
