import type { Page } from "playwright-core";
import { textOfPdf } from "../flows/customer-documents.ts";
import { judgeContrast, tooWide } from "./page-faults.ts";

/** The narrowest window in which a page must not be scrolled sideways (WCAG 2.2, 1.4.10). */
const NARROW = 320;
const PHONE = 390;
const DESKTOP = 1280;
const HEIGHT = 900;
/** The least size that a finger hits (WCAG 2.2, 2.5.5), in pixels. */
const FINGER = 44;
/** Our own part of a page. In an account it is drawn by the host, who answers for its buttons and colours. */
const OURS = ".pw-page";

/**
 * Judges a patient's page as it is read on a small phone, with large text, at night, by a thumb and on paper. Answers its
 * faults. `paper`: words that must be on its print, such as whose test it is.
 */
export async function judgeComfort(page: Page, paper: readonly string[]): Promise<string[]> {
  const faults: string[] = [];
  const hasOurs = (await page.locator(OURS).count()) > 0;
  const closed = hasOurs ? await openEverything(page) : [];
  await resize(page, NARROW);
  for (const place of await tooWide(page)) faults.push(`${NARROW} px: wider than it: ${place}`);
  if (hasOurs) for (const target of await smallTargets(page)) faults.push(`too small: ${target}`);
  faults.push(...(await withLargeText(page, hasOurs)));
  if (hasOurs) faults.push(...(await atNight(page)));
  await close(page, closed);
  if (hasOurs) faults.push(...(await onPaper(page, paper)));
  return faults;
}

const resize = (page: Page, width: number) => page.setViewportSize({ width, height: HEIGHT });

/** Opens what can be opened, since a reader does. Answers which were closed. */
const openEverything = (page: Page): Promise<number[]> =>
  page.locator(`${OURS} details`).evaluateAll((all) =>
    all.flatMap((one, index) => {
      if (!(one instanceof HTMLDetailsElement) || one.open) return [];
      one.open = true;
      return [index];
    }),
  );

const close = (page: Page, indexes: number[]): Promise<void> =>
  page.locator(`${OURS} details`).evaluateAll((all, closed) => {
    for (const index of closed) all[index]?.removeAttribute("open");
  }, indexes);

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

/** Doubles the browser's own size of text, as somebody with poor sight does. */
async function withLargeText(page: Page, hasOurs: boolean): Promise<string[]> {
  const sizes = () =>
    page.locator(`${OURS} :not(svg *)`).evaluateAll((all) =>
      all
        .filter((one) => [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE))
        .map((one) => ({
          size: Number.parseFloat(getComputedStyle(one).fontSize),
          name: `${one.tagName} "${one.textContent.slice(0, 40)}"`,
        })),
    );
  const enlarge = (size: string) =>
    page.evaluate((given) => {
      document.documentElement.style.fontSize = given;
    }, size);
  const faults: string[] = [];
  const before = hasOurs ? await sizes() : [];
  await enlarge("200%");
  for (const [index, { size, name }] of (hasOurs ? await sizes() : []).entries())
    if (size < 1.9 * (before[index]?.size ?? 0)) faults.push(`200 % text: stays small: ${name}`);
  for (const width of [PHONE, DESKTOP]) {
    await resize(page, width);
    for (const place of await tooWide(page))
      faults.push(`200 % text at ${width} px: wider than it: ${place}`);
  }
  await enlarge("");
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
