import type { Page } from "playwright-core";
import { textOfPdf } from "../flows/customer-documents.ts";
import { judgeAsHeard } from "./as-heard.ts";
import { judgeContrast, tooWide } from "./page-faults.ts";
import { tornWords } from "./torn-words.ts";

/** The narrowest window in which a page must not be scrolled sideways (WCAG 2.2, 1.4.10). */
const NARROW = 320;
const PHONE = 390;
const DESKTOP = 1280;
const HEIGHT = 900;
/** The least size that a finger hits (WCAG 2.2, 2.5.5), in pixels. */
const FINGER = 44;
/** The least size of text in a picture, which shrinks with its window, in pixels. */
const FIGURE = 10;
/** The size of text that a browser comes with, in pixels. */
const TEXT = 16;
/** What Pathway draws: a page of its own, or its part of a page in a theme. Every check is made of it. */
const OURS = ".pw-page";
/**
 * A host draws these from Pathway's words: an extension in the account or on the thank-you page, and the block in a theme.
 * Shopify gives an extension's components their size, colours and print, and a theme gives them to its blocks. So these
 * are left out there, and nothing else is: width and broken words come from how Pathway arranges the components.
 */
const HOSTED = "body:not(.admin) [data-extension], .pathway-details";

/**
 * Judges a patient's page as it is heard, and read on a small phone, with large text, at night, by a thumb and on paper. Answers
 * its faults; none for a page without anything of Pathway's for patients. `paper`: words that must be on its print, such as
 * whose test it is.
 */
export async function judgeComfort(page: Page, paper: readonly string[]): Promise<string[]> {
  const hasOurs = (await page.locator(OURS).count()) > 0;
  if (!hasOurs && (await page.locator(HOSTED).count()) === 0) return [];
  const faults: string[] = [];
  const closed = await openEverything(page);
  faults.push(...(await judgeAsHeard(page, `${OURS}, ${HOSTED}`)));
  await resize(page, NARROW);
  for (const place of await spills(page)) faults.push(`${NARROW} px: ${place}`);
  for (const figure of await smallFigures(page)) faults.push(`${NARROW} px: too small: ${figure}`);
  if (hasOurs) for (const target of await smallTargets(page)) faults.push(`too small: ${target}`);
  faults.push(...(await withLargeText(page)));
  if (hasOurs) faults.push(...(await moving(page)));
  if (hasOurs) faults.push(...(await atNight(page)));
  await close(page, closed);
  if (hasOurs) faults.push(...(await onPaper(page, paper)));
  return faults;
}

const resize = (page: Page, width: number) => page.setViewportSize({ width, height: HEIGHT });

/** Everything that folds, in an extension too: the host draws it with the browser's own element. */
const folds = (page: Page) => page.locator(`:is(${OURS}, ${HOSTED}) details`);

/** Opens what can be opened, since a reader does. Answers which were closed. */
const openEverything = (page: Page): Promise<number[]> =>
  folds(page).evaluateAll((all) =>
    all.flatMap((one, index) => {
      if (!(one instanceof HTMLDetailsElement) || one.open) return [];
      one.open = true;
      return [index];
    }),
  );

const close = (page: Page, indexes: number[]): Promise<void> =>
  folds(page).evaluateAll((all, closed) => {
    for (const index of closed) all[index]?.removeAttribute("open");
  }, indexes);

/** Documents that must be scrolled sideways, and words of ours that do not stay whole and in their place. */
async function spills(page: Page): Promise<string[]> {
  const wide = (await tooWide(page)).map((place) => `wider than it: ${place}`);
  return [...wide, ...(await tornWords(page, `${OURS}, ${HOSTED}`, OURS))];
}

/** Text in a picture that has shrunk too far. */
const smallFigures = (page: Page): Promise<string[]> =>
  page.locator(`${OURS} svg text`).evaluateAll(
    (all, least) =>
      all.flatMap((one) => {
        const scale = one instanceof SVGGraphicsElement ? one.getScreenCTM()?.a : null;
        const size = Number.parseFloat(getComputedStyle(one).fontSize) * (scale ?? 0);
        return one.checkVisibility() && size < least
          ? [`"${one.textContent}" ${size.toFixed(1)} px`]
          : [];
      }),
    FIGURE,
  );

/** Controls that a finger misses. A link amid a sentence is as high as its line, and read before it is pressed. */
const smallTargets = (page: Page): Promise<string[]> =>
  page.locator(OURS).evaluate((ours, least) => {
    const isInProse = (link: Element) => {
      let block = link;
      while (getComputedStyle(block).display === "inline" && block.parentElement)
        block = block.parentElement;
      if (block === link) return false;
      const links = [...block.querySelectorAll("a")].map((one) => one.textContent);
      const rest = links.reduce((text, one) => text.replace(one, ""), block.textContent);
      return /\p{L}/u.test(rest);
    };
    const isTick = (element: Element): element is HTMLInputElement =>
      element instanceof HTMLInputElement && /^(checkbox|radio)$/.test(element.type);
    const controls = ours.querySelectorAll(
      "a[href], button, input:not([type=hidden]), select, textarea, summary",
    );
    return [...controls].flatMap((control) => {
      if (!control.checkVisibility() || (control.tagName === "A" && isInProse(control))) return [];
      // Its words belong to a tick, and are pressed like it.
      const parts = isTick(control) ? [control, ...(control.labels ?? [])] : [control];
      const boxes = parts.map((part) => part.getBoundingClientRect());
      const left = Math.min(...boxes.map((box) => box.left));
      const right = Math.max(...boxes.map((box) => box.right));
      const height =
        Math.max(...boxes.map((box) => box.bottom)) - Math.min(...boxes.map((box) => box.top));
      // The way past the header stands beside the window until the keyboard reaches it.
      if (right < 0 || (right - left >= least && height >= least)) return [];
      const name = control.textContent || control.getAttribute("name");
      return [`${control.tagName} "${name}" ${Math.round(right - left)}×${Math.round(height)}`];
    });
  }, FINGER);

/** Doubles the browser's own size of text, as somebody with poor sight does. A theme's size of a rem does not stop it. */
async function withLargeText(page: Page): Promise<string[]> {
  const sizes = () =>
    page.locator(`${OURS} :not(svg *)`).evaluateAll((all) =>
      all
        .filter((one) => [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE))
        .map((one) => ({
          size: Number.parseFloat(getComputedStyle(one).fontSize),
          name: `${one.tagName} "${one.textContent.slice(0, 40)}"`,
        })),
    );
  const browser = await page.context().newCDPSession(page);
  const enlarge = (standard: number) =>
    browser.send("Page.setFontSizes", { fontSizes: { standard } });
  const faults: string[] = [];
  const before = await sizes();
  await enlarge(2 * TEXT);
  const stuck = (await sizes()).filter(
    ({ size }, index) => size < 1.9 * (before[index]?.size ?? 0),
  );
  if (stuck.length > 0)
    faults.push(`200 % text: ${stuck.length} stay small, as ${stuck.map(({ name }) => name)[0]}`);
  for (const width of [PHONE, DESKTOP]) {
    await resize(page, width);
    for (const place of await spills(page)) faults.push(`200 % text at ${width} px: ${place}`);
  }
  await enlarge(TEXT);
  await browser.detach();
  return faults;
}

/** What moves although the reader asked for less motion. */
async function moving(page: Page): Promise<string[]> {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const faults = await page
    .locator(OURS)
    .evaluate((ours) => ours.getAnimations({ subtree: true }).map(() => "moves"));
  await page.emulateMedia({ reducedMotion: null });
  return faults;
}

const paperColour = (page: Page): Promise<string> =>
  page.locator(OURS).evaluate((ours) => getComputedStyle(ours).backgroundColor);

/** Colours by night. A page of our own gets dark, one inside a theme stays light (docs/decisions/0072). */
async function atNight(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "light" });
  const day = await paperColour(page);
  await page.emulateMedia({ colorScheme: "dark" });
  const isOwnPage = (await page.locator("body.pw-body").count()) > 0;
  const faults = (await judgeContrast(page, OURS)).map((fault) => `at night: ${fault}`);
  if (isOwnPage === ((await paperColour(page)) === day))
    faults.push(isOwnPage ? "at night: stays light" : "at night: changes inside a theme");
  await page.emulateMedia({ media: "print" });
  if ((await paperColour(page)) !== day) faults.push("on paper: dark");
  await page.emulateMedia({ media: null, colorScheme: null });
  return faults;
}

/**
 * Prints the page as it was opened, with everything folded away that it folds away. No button and no way to another page
 * of ours is on paper, and what is read there is.
 */
async function onPaper(page: Page, words: readonly string[]): Promise<string[]> {
  await page.emulateMedia({ media: "print" });
  const pressed = await page.locator(OURS).evaluate((ours) => {
    const isWay = (one: Element) =>
      !(one instanceof HTMLAnchorElement) ||
      (one.origin === location.origin && !one.getAttribute("href")?.startsWith("#"));
    return [...ours.querySelectorAll("a[href], button")]
      .filter((one) => one.checkVisibility() && isWay(one))
      .map((one) => `on paper: can be pressed: ${one.textContent}`);
  });
  await page.emulateMedia({ media: null });
  // A PDF has one letter for the two that look like a micro sign.
  const bare = (text: string) => text.normalize("NFKC").replace(/\s/g, "");
  const printed = bare(await textOfPdf(await page.pdf()));
  const missing = words.filter((one) => !printed.includes(bare(one)));
  return [...pressed, ...missing.map((one) => `on paper: missing: ${one}`)];
}
