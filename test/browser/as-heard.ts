import type { Page } from "playwright-core";
import { judgeRules } from "./page-faults.ts";

/** Rules of axe about what a reader who hears the page goes by, beside those of which axe calls a breach serious. */
const IN_SEQUENCE = [
  "heading-order",
  "empty-heading",
  "table-duplicate-name",
  "empty-table-header",
];
/** The same of a whole document. A theme, and the shop's account, have landmarks and a first heading of their own. */
const WHOLE = [
  ...["html-has-lang", "html-lang-valid", "document-title", "page-has-heading-one", "region"],
  ...["landmark-one-main", "landmark-no-duplicate-main", "landmark-unique"],
];

/**
 * Judges a patient's page as a screen reader tells it: its headings, its landmarks, and its controls, which are also read as a
 * list without what stands around them. Answers its faults. `place`: what of the page is ours.
 */
export async function judgeAsHeard(page: Page, place: string): Promise<string[]> {
  const isOwnPage = (await page.locator("body.pw-body").count()) > 0;
  const broken = isOwnPage
    ? await judgeRules(page, [...IN_SEQUENCE, ...WHOLE])
    : await judgeRules(page, IN_SEQUENCE, place);
  return [...broken, ...(await alikeControls(page, place))].map((fault) => `heard: ${fault}`);
}

/** Controls without a name, and those that one name does not tell apart. Links to one address do the same. */
const alikeControls = (page: Page, place: string): Promise<string[]> =>
  page.locator(place).evaluateAll((all) => {
    window.axe.setup(document.documentElement);
    const controls = all.flatMap((one) => [
      ...one.querySelectorAll(
        "a[href], button, input:not([type=hidden]), select, textarea, summary",
      ),
    ]);
    const named = controls
      .filter((control) => control.checkVisibility())
      .map((control) => ({
        does: control.getAttribute("href") ?? control,
        name: window.axe.commons.text.accessibleText(control).trim(),
      }));
    window.axe.teardown();
    return [...Map.groupBy(named, ({ name }) => name)].flatMap(([name, same]) => {
      if (name === "") return [`${same.length} controls have no name`];
      const ways = new Set(same.map(({ does }) => does)).size;
      return ways > 1 ? [`${ways} controls are called "${name}"`] : [];
    });
  });
