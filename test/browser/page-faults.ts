import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { AxeBuilder } from "@axe-core/playwright";
import type axe from "axe-core";
import type { Frame, Page } from "playwright-core";

/** Read anew by each page that is judged: the small form is read in half the time. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Passed checks are not worth the time of writing them down. */
const RUN: axe.RunOptions = { resultTypes: ["violations"] };

/** Axe's verdict on the page with its frames. */
export const judge = async (page: Page) =>
  (await new AxeBuilder({ page }).options(RUN).analyze()).violations;

/**
 * The same of each frame by itself, without its colours, whose contrast takes axe longer than all its other rules together,
 * and without the rules that can find nothing serious: a tenth of the time.
 */
export async function judgeFrames(page: Page) {
  const options = { ...RUN, iframes: false };
  const judgeOne = async (frame: Frame) => {
    await addAxe(frame);
    const skipped = ["color-contrast", ...(await rulesOfLittleImpact(frame))];
    const rules = Object.fromEntries(skipped.map((id) => [id, { enabled: false }]));
    return judgeAlone(frame, { ...options, rules });
  };
  return (await Promise.all(page.frames().map(judgeOne))).flat();
}

/**
 * A rule that names its impact gives it to whatever it finds. One without a name may find anything, and is not among these.
 */
const rulesOfLittleImpact = (frame: Frame): Promise<string[]> =>
  frame.evaluate(() =>
    window.axe._audit.rules.flatMap(({ id, impact }) =>
      impact === "moderate" || impact === "minor" ? [id] : [],
    ),
  );

/** Where the colours of a part of the page lie too close to each other. */
export async function judgeContrast(page: Page, selector: string): Promise<string[]> {
  const options: axe.RunOptions = { ...RUN, iframes: false, runOnly: ["color-contrast"] };
  const violations = await judgeAlone(page.mainFrame(), options, selector);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

async function judgeAlone(frame: Frame, options: axe.RunOptions, selector = ":root") {
  await addAxe(frame);
  return frame.evaluate(
    async ([given, within]) => (await window.axe.run(within, given)).violations,
    [options, selector] as const,
  );
}

async function addAxe(frame: Frame): Promise<void> {
  if (!(await frame.evaluate(() => "axe" in window))) await frame.evaluate(AXE);
}

declare global {
  interface Window {
    /** Axe tells its rules' impacts to nobody, so they are read where it keeps them. */
    axe: typeof axe & { _audit: { rules: readonly { id: string; impact?: string }[] } };
  }
}

/** Documents that have to be scrolled sideways, each with what reaches furthest. */
export async function tooWide(page: Page): Promise<string[]> {
  const places = await Promise.all(
    page.frames().map((frame) =>
      frame.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        if (scrollWidth <= clientWidth + 1) return null;
        let [furthest, edge] = ["", clientWidth];
        const walk = (parent: ParentNode) => {
          for (const one of parent.querySelectorAll("*")) {
            const { right } = one.getBoundingClientRect();
            if (right > edge + 1)
              [furthest, edge] = [
                `${one.localName} "${one.textContent.trim().slice(0, 40)}"`,
                right,
              ];
            if (one.shadowRoot) walk(one.shadowRoot);
          }
        };
        walk(document);
        return `${location.pathname} (${scrollWidth} in ${clientWidth}): ${furthest}`;
      }),
    ),
  );
  return places.filter((place) => place !== null);
}
