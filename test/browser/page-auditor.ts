import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { BrowserContext, Page, Request } from "playwright-core";
import { expect } from "vitest";
import { eventually } from "../harness/index.ts";
import { judgeComfort } from "./comfort.ts";
import { judge, tooWide } from "./page-faults.ts";

const SCREENSHOTS = fileURLToPath(new URL("../../screenshots/", import.meta.url));
const WIDTHS = { desktop: 1280, phone: 375 } as const;
/** At 200 % zoom a desktop's window has room for as many pixels. */
const ZOOMED = { zoomed: 640 } as const;
const MIN_HEIGHT = 900;
/**
 * `npm run gallery`: a look judges the page and takes pictures. A landing judges it, and nobody looks at its pictures, which take a
 * sixth of a look. `npm test` hears only what the page complains of.
 */
const IS_GALLERY = process.env.PATHWAY_GALLERY === "1";
const IS_JUDGED = IS_GALLERY || process.env.PATHWAY_GALLERY === "verdict";
/** Longer pages are cut off: nobody looks at more. */
const MAX_HEIGHT = 6_000;

interface LookOptions {
  isZoomed?: boolean;
  isWaiting?: boolean;
  paper?: readonly string[];
}

/** Somebody who walks through pages, looks at each of them, and hears every complaint of the browser. */
export type PageAuditor = Awaited<ReturnType<typeof sendPageAuditor>>;

export interface AuditorOptions {
  /** Pages that are themselves a refusal (404, 422) are part of the walk, not a complaint. */
  refusals?: boolean;
  /** No script of a page runs, as for a reader who turned it off. */
  isScriptless?: boolean;
  /** The app is closed to this visitor for now: its pages answer 503. */
  isClosed?: boolean;
}

export async function sendPageAuditor(
  context: BrowserContext,
  { refusals = false, isScriptless = false, isClosed = false }: AuditorOptions = {},
) {
  if (IS_GALLERY) await mkdir(SCREENSHOTS, { recursive: true });
  const page = await context.newPage();
  await page.setViewportSize({ width: WIDTHS.desktop, height: MIN_HEIGHT });
  const browser = await context.newCDPSession(page);
  const forbidScripts = (value: boolean) =>
    browser.send("Emulation.setScriptExecutionDisabled", { value });
  if (isScriptless) await forbidScripts(true);
  const complaints: string[] = [];
  const traffic = watchTraffic(page);
  page.on("pageerror", (error) => complaints.push(`${page.url()}: ${error.message}`));
  page.on("console", (message) => {
    // A form that is sent back with words beside its fields is no fault, whatever the console thinks of 422.
    const isExpected = refusals ? /status of 4(01|04|09|22)/ : /status of 422/;
    if (isClosed && message.text().includes("status of 503")) return;
    if (message.type() === "error" && !isExpected.test(message.text()))
      complaints.push(`${page.url()}: ${message.text()}`);
  });

  return {
    page,
    /**
     * Looks at the page once all of it is there. Throws when an extension broke a rule of its platform, or when the browser
     * complained since the last look. A judged look throws as well when axe finds a serious or critical fault at either width (or at
     * 200 % zoom), when the page is wider than the window, or when a patient's page is uncomfortable (see {@link judgeComfort}).
     * The gallery takes a picture at each of these widths, `screenshots/{name}-{width}.png`. `isWaiting`: what the page waits for is
     * held back on purpose. `paper`: words that its print has.
     */
    async look(
      name: string,
      { isZoomed = false, isWaiting = false, paper = [] }: LookOptions = {},
    ): Promise<void> {
      if (!isWaiting) await traffic.quiet();
      // The page is drawn, and none of its scripts was run. Axe is a script.
      if (isScriptless) await forbidScripts(false);
      if (!isWaiting) await hydrated(page);
      const widths = { ...WIDTHS, ...(isZoomed ? ZOOMED : {}) };
      const faults = IS_JUDGED ? await judgeAt(page, { name, widths, paper }) : [];
      if (isScriptless) await forbidScripts(true);
      const breaches = await page.evaluate(() => Reflect.get(window, "violations") ?? []);
      expect({ faults, breaches, complaints: complaints.splice(0) }, name).toEqual({
        faults: [],
        breaches: [],
        complaints: [],
      });
    },
  };
}

/**
 * Judges the page at each width, has its picture taken for the gallery, and answers the faults that are seen. The window has its
 * first width again then.
 */
async function judgeAt(
  page: Page,
  {
    name,
    widths,
    paper,
  }: { name: string; widths: Record<string, number>; paper: readonly string[] },
): Promise<string[]> {
  const faults: string[] = [];
  for (const [label, width] of Object.entries(widths)) {
    await page.setViewportSize({ width, height: MIN_HEIGHT });
    await settle(page);
    await page.setViewportSize({ width, height: await heightOf(page) });
    await settle(page);
    if (IS_GALLERY) await page.screenshot({ path: `${SCREENSHOTS}${name}-${label}.png` });
    for (const { id, impact, nodes } of await judge(page))
      if (impact === "serious" || impact === "critical")
        faults.push(`${label}: ${id}: ${nodes.map(({ target }) => target.join(" > ")).join(", ")}`);
    for (const place of await tooWide(page)) faults.push(`${label}: wider than it: ${place}`);
  }
  faults.push(...(await judgeComfort(page, paper)));
  await page.setViewportSize({ width: WIDTHS.desktop, height: MIN_HEIGHT });
  return faults;
}

/** No request has begun or ended for so long: what the page wanted to load is there. */
const QUIET_MS = 500;

/**
 * Follows what a page and its frames load. `quiet` waits until nothing is under way, and names what still is when it
 * waited in vain, so that a page which asks for ever is found out. A request whose frame is gone is nobody's any more.
 */
function watchTraffic(page: Page) {
  const open = new Set<Request>();
  let changedAt = performance.now();
  const change = (work: () => void) => {
    work();
    changedAt = performance.now();
  };
  page.on("request", (request) => change(() => open.add(request)));
  page.on("requestfinished", (request) => change(() => open.delete(request)));
  page.on("requestfailed", (request) => change(() => open.delete(request)));
  return {
    quiet: () =>
      eventually(
        () => {
          const there = page.frames();
          const waiting = [...open].filter((request) => there.includes(request.frame()));
          expect(waiting.map((request) => `${request.method()} ${request.url()}`)).toEqual([]);
          expect(performance.now() - changedAt, "since the last request").toBeGreaterThan(QUIET_MS);
        },
        { what: "the page's requests to end", timeoutMs: 60_000 },
      ),
  };
}

/** How long a page may take to be taken over by its script. */
const HYDRATION_MS = 15_000;

/**
 * Waits until React has taken over everything that the server drew. Parts that come late are taken over late, and a
 * window that changes its width meanwhile has them drawn anew, which React complains of.
 */
export async function hydrated(page: Page): Promise<void> {
  for (const frame of page.frames())
    await frame.evaluate(async (timeoutMs) => {
      const isOurs = (node: Element) =>
        Object.keys(node).some((key) => key.startsWith("__reactFiber"));
      const drawn = () => [...document.querySelectorAll("#page :is(h1, h2, h3, p, a, button)")];
      const giveUpAt = performance.now() + timeoutMs;
      while (!drawn().every(isOurs) && performance.now() < giveUpAt)
        await new Promise((later) => setTimeout(later, 50));
    }, HYDRATION_MS);
}

/** Waits until nothing moves any more and two frames have been drawn. */
async function settle(page: Page): Promise<void> {
  for (const frame of page.frames())
    await frame.evaluate(async () => {
      await document.fonts.ready;
      const finite = document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity);
      await Promise.allSettled(finite.map((animation) => animation.finished));
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    });
}

/** Returns the height of everything on the page, that of a frame included. */
async function heightOf(page: Page): Promise<number> {
  const heights = await Promise.all(
    page.frames().map((frame) => frame.evaluate(() => document.documentElement.scrollHeight)),
  );
  const [own = 0, ...framed] = heights;
  const inside = framed.length > 0 ? Math.max(...framed) + 140 : 0;
  return Math.min(Math.max(MIN_HEIGHT, own, inside), MAX_HEIGHT);
}
