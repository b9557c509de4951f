/** Each kind of email by day and by night, in email programs that follow the reader's scheme and in those that do not. */
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { composeCodeMail } from "../../app/modules/access/step-up/compose-code-mail.ts";
import { MAIL_NAMES } from "../../app/modules/notifications/mail-words.ts";
import {
  composeMail,
  composeNews,
  type MailFacts,
} from "../../app/modules/notifications/notifications/compose-mail.ts";
import { launchBrowser } from "../../sandbox/store/web/testing/browser.ts";
import { judge, judgeContrast, tooWide } from "./page-faults.ts";

const SCREENSHOTS = fileURLToPath(new URL("../../screenshots/", import.meta.url));
const IS_GALLERY = process.env.PATHWAY_GALLERY === "1";
const PHONE = { width: 390, height: 844 };

const FACTS: MailFacts = {
  ...{ to: "kim@example.com", orderName: "#1001", about: "For Kim L. · Test 1 of 2" },
  ...{
    buyerName: "Ngaire Walsh",
    news: "paused",
    url: "https://tests.example/t/1",
    personal: true,
  },
  ...{
    accountUrl: "https://harbourpathologyservices.myshopify.com/apps/pathway",
    contact: { name: "Dr Ruby Ng", phone: "03 9000 1111" },
  },
  help: {
    ...{ shopName: "Harbour Pathology", email: "help@harbour.example", phone: "03 9000 0000" },
    ...{ hours: "Mon to Fri, 9 to 5", timeZone: "Australia/Perth" },
  },
  stopUrl: "https://tests.example/t/1/stop",
  lines: ["Reference HP-1"],
};

const KINDS = Object.keys(MAIL_NAMES) as (keyof typeof MAIL_NAMES)[];
const WITHOUT_LINK = new Set(["details_given", "results_elsewhere", "patients_waiting"]);
const WAITING = {
  label: "Order #1001 (laboratory reference 12345678)",
  url: "https://harbourpathologyservices.myshopify.com/admin/orders/5512345678901",
};
const LONG: MailFacts = {
  ...FACTS,
  ...{ buyerName: "Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh" },
  about: "For Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh W. · Test 1 of 2",
  help: { ...FACTS.help, email: "questions-of-patients-and-customers@harbour-pathology.example" },
};
const twelve = Array.from({ length: 12 }, (_, index) => ({
  ...{ requestId: `r${index}`, kind: "form_ready" as const, news: null },
  ...{ about: `For Kim L. · Test ${index + 1} of 12`, url: `https://tests.example/t/${index}` },
}));
const MAILS: [string, string][] = [
  ...KINDS.map((kind): [string, string] => {
    const url = WITHOUT_LINK.has(kind) ? null : FACTS.url;
    const rows = kind === "patients_waiting" ? [WAITING] : [];
    return [kind, composeMail(kind, { ...FACTS, url, rows }).html ?? ""];
  }),
  ["long_words", composeMail("unit_for_you", LONG).html ?? ""],
  ["twelve_forms", composeNews(twelve, FACTS).html ?? ""],
  ["code", composeCodeMail({ to: FACTS.to, code: "123456", help: FACTS.help }).html ?? ""],
];

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await launchBrowser();
  page = await browser.newPage({ viewport: PHONE });
  if (IS_GALLERY) await mkdir(SCREENSHOTS, { recursive: true });
});
afterAll(() => browser.close());

const groundOf = (selector: string): Promise<string> =>
  page.locator(selector).evaluate((one) => getComputedStyle(one).backgroundColor);

/** Makes of an email what a program does that knows no style sheets, or that takes the body away. */
const WITHOUT_SHEET = (html: string) => html.replace(/<style>[\s\S]*?<\/style>/, "");
const WITHOUT_BODY = (html: string) => WITHOUT_SHEET(html).replace(/<body[^>]*>/, "<body>");

describe.each(["light", "dark"] as const)("%s", (colorScheme) => {
  beforeAll(() => page.emulateMedia({ colorScheme }));

  test.each(MAILS)("%s: is read, whatever the email program leaves out", async (name, html) => {
    await page.setContent(html);
    if (IS_GALLERY)
      await page.screenshot({
        path: `${SCREENSHOTS}mail-${name}-${colorScheme}.png`,
        fullPage: true,
      });
    const serious = (await judge(page)).filter(({ impact }) =>
      /serious|critical/.test(impact ?? ""),
    );
    expect(serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
    expect(await tooWide(page)).toEqual([]);
    for (const left of [WITHOUT_SHEET(html), WITHOUT_BODY(html)]) {
      await page.setContent(left);
      expect(await judgeContrast(page, "body")).toEqual([]);
    }
  });

  test("has the ground of the reader's scheme, and stays light on paper", async () => {
    await page.setContent(MAILS[0]?.[1] ?? "");
    const [card, around] = [await groundOf("[role=main]"), await groundOf("body")];
    const isDark = colorScheme === "dark";
    expect(card === "rgb(255, 255, 255)").toBe(!isDark);
    expect(around === "rgb(246, 248, 250)").toBe(!isDark);
    await page.emulateMedia({ media: "print" });
    expect(await groundOf("[role=main]")).toBe("rgb(255, 255, 255)");
    await page.emulateMedia({ media: null });
  });
});
