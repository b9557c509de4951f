import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type axe from "axe-core";
import type { Frame, Page } from "playwright-core";

/** Read anew by each page that is judged: the small form is read in half the time. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Passed checks are not worth the time of writing them down. */
const RUN: axe.RunOptions = { resultTypes: ["violations"] };

/**
 * Axe's verdict on the page with its frames, of every rule that can find something serious. Axe's own builder opens a window
 * for the summing up, with a process and a copy of axe of its own. The page itself sums up as well.
 */
export async function judge(page: Page) {
  const skipped = await rulesOfLittleImpact(page.mainFrame());
  const options = { ...RUN, rules: withoutRules(skipped) };
  const parts = await lookThrough(page.mainFrame(), "{}", options);
  return page.evaluate(
    async ([all, given]) => (await window.axe.finishRun(JSON.parse(all), given)).violations,
    [`[${parts.join()}]`, options] as const,
  );
}

/**
 * The findings of axe in a frame and in those inside it, from the outside in, each as JSON: it is long, and nobody here reads it.
 * `context`: what axe is to know of the frame from those around it, as JSON.
 */
async function lookThrough(
  frame: Frame,
  context: string,
  options: axe.RunOptions,
): Promise<string[]> {
  await addAxe(frame);
  const { own, inside } = await frame.evaluate(
    async ([json, given]) => {
      const of = { include: [], exclude: [], ...JSON.parse(json) };
      // Asked before the look, which takes what it was given apart.
      const frames = window.axe.utils.getFrameContexts(of);
      return {
        inside: frames.map((one) => ({
          selector: JSON.stringify(one.frameSelector),
          context: JSON.stringify(one.frameContext),
        })),
        own: JSON.stringify(await window.axe.runPartial(of, given)),
      };
    },
    [context, options] as const,
  );
  const parts = [own];
  for (const one of inside) {
    const element = await frame.evaluateHandle(
      (selector) => window.axe.utils.shadowSelect(JSON.parse(selector)),
      one.selector,
    );
    const child = await element.asElement()?.contentFrame();
    // Axe leaves out a frame of which it is told nothing.
    parts.push(...(child ? await lookThrough(child, one.context, options) : ["null"]));
  }
  return parts;
}

const withoutRules = (ids: readonly string[]): axe.RuleObject =>
  Object.fromEntries(ids.map((id) => [id, { enabled: false }]));

/**
 * A rule that names its impact gives it to whatever it finds. One without a name may find anything, and is not among these.
 */
async function rulesOfLittleImpact(frame: Frame): Promise<string[]> {
  await addAxe(frame);
  return frame.evaluate(() =>
    window.axe._audit.rules.flatMap(({ id, impact }) =>
      impact === "moderate" || impact === "minor" ? [id] : [],
    ),
  );
}

/** Where the colours of a part of the page lie too close to each other. */
export function judgeContrast(page: Page, selector: string): Promise<string[]> {
  return judgeRules(page, ["color-contrast"], selector);
}

/** Breaches of these rules of axe in a part of the page, or in all of it. */
export async function judgeRules(
  page: Page,
  rules: string[],
  selector?: string,
): Promise<string[]> {
  const options: axe.RunOptions = { ...RUN, iframes: false, runOnly: rules };
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
    axe: typeof axe & {
      _audit: { rules: readonly { id: string; impact?: string }[] };
      commons: { text: { accessibleText(element: Element): string } };
    };
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
