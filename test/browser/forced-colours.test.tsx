/** The admin in a reader's own colours, such as Windows' high contrast: shadows and grounds are gone there. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { AppProvider, Button, Card, Checkbox, RadioButton } from "@shopify/polaris";
import type { Browser, Page } from "playwright-core";
import { renderToStaticMarkup } from "react-dom/server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "../../sandbox/store/web/testing/browser.ts";

const SHEETS = [
  createRequire(import.meta.url).resolve("@shopify/polaris/build/esm/styles.css"),
  new URL("../../app/components/document/embedded.css", import.meta.url),
];

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await launchBrowser();
  page = await browser.newPage();
  const styles = await Promise.all(SHEETS.map((sheet) => readFile(sheet, "utf8")));
  const body = renderToStaticMarkup(
    <AppProvider i18n={{}}>
      <Card>
        <Checkbox label="Empty" checked={false} />
        <Checkbox label="Ticked" checked onChange={() => {}} />
        <RadioButton label="Chosen" checked onChange={() => {}} />
        <Button>Export</Button>
      </Card>
      <nav className="pathway-tabs">
        <a href="/all">All</a>{" "}
        <a href="/some" aria-current="page">
          Some
        </a>
      </nav>
      <ul className="pathway-legend">
        <li data-stage="in_progress">In progress</li>
      </ul>
    </AppProvider>,
  );
  // Before anything is drawn: an edge that changes with the colours would be read on its way.
  await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
  await page.setContent(`<html lang="en"><style>${styles.join("\n")}</style>${body}</html>`);
}, 60_000);
afterAll(() => browser.close());

/** A property of the one element, or of what it draws `beside` itself, as it is used. */
const used = (selector: string, property: string, beside?: string): Promise<string> =>
  page
    .locator(selector)
    .evaluate(
      (element, [name, pseudo]) => getComputedStyle(element, pseudo).getPropertyValue(name),
      [property, beside] as const,
    );

test.each([
  ["an empty box", ".Polaris-Choice:has-text('Empty') .Polaris-Checkbox__Backdrop"],
  ["a ticked box", ".Polaris-Choice:has-text('Ticked') .Polaris-Checkbox__Backdrop"],
  ["a button", ".Polaris-Button"],
  ["a card", ".Polaris-ShadowBevel"],
])("%s keeps its edge", async (_, selector) => {
  const edge = async (kind: string) =>
    Number.parseFloat(await used(selector, `${kind}-width`)) > 0 &&
    (await used(selector, `${kind}-style`)) === "solid";
  expect((await edge("border-top")) || (await edge("outline"))).toBe(true);
});

test("a tick and a chosen circle differ from the ground", async () => {
  const ground = await used("body", "background-color");
  const tick = ".Polaris-Choice:has-text('Ticked') .Polaris-Checkbox__Icon path";
  expect(await used(tick, "stroke")).not.toBe(ground);
  const dot = await used(".Polaris-RadioButton__Backdrop", "background-color", "::before");
  expect(dot).not.toBe(ground);
});

test("the tab that is open is told from the others, and a legend keeps its colours", async () => {
  const line = (selector: string) => used(selector, "text-decoration-line");
  expect(await line(".pathway-tabs a[aria-current]")).toBe("underline");
  expect(await line(".pathway-tabs a[href='/all']")).toBe("none");
  const swatch = await used(".pathway-legend li", "background-color", "::before");
  expect(swatch).toBe("rgb(0, 148, 213)");
});
