/** A result on paper, whose sheets come apart. */
import type { Browser } from "playwright-core";
import { renderToStaticMarkup } from "react-dom/server";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ResultView } from "../../app/modules/access/open-result.ts";
import { PageBody, PageDocument } from "../../app/web/customer-pages/page.tsx";
import { resultPage } from "../../app/web/customer-pages/result-page.tsx";
import { launchBrowser } from "../../sandbox/store/web/testing/browser.ts";
import { textOfPdf } from "../flows/customer-documents.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
}, 60_000);
afterAll(() => browser.close());

const biomarkers = Array.from({ length: 60 }, (_, index) => ({
  id: `m${index}`,
  name: `Marker ${index}`,
  commonName: `Marker ${index}`,
  description: "",
  sampleType: null,
  formattedValue: "12 ug/L",
  value: "12",
  unit: "ug/L",
  isAbnormal: index % 3 === 0,
  notes: null,
  history: [],
  rangeLow: 30,
  rangeHigh: 200,
  additionalRanges: [],
}));

const RESULT: ResultView = {
  id: "r",
  title: "Iron studies",
  part: null,
  status: "COMPLETE",
  partial: false,
  correctedAt: null,
  resultDate: "2026-05-01T02:00:00Z",
  reportedOn: "2026-05-01",
  timeZone: "Australia/Sydney",
  patient: { name: "Ngaire Walsh", dob: "1971-02-03" },
  unit: null,
  others: [],
  alert: null,
  contact: null,
  summary: null,
  categories: [{ id: "c", name: "Iron", biomarkers }],
};
const HELP = {
  ...{ shopName: "Harbour Pathology", email: "a@b.example", phone: null, hours: null },
  timeZone: "Australia/Sydney",
};

test("names the patient and their date of birth on each sheet", async () => {
  const { title, content } = resultPage(RESULT, { base: "/visit/x" }, []);
  const markup = renderToStaticMarkup(
    <PageDocument title={title} shopName={HELP.shopName}>
      <PageBody title={title} help={HELP}>
        {content}
      </PageBody>
    </PageDocument>,
  );
  const page = await browser.newPage();
  await page.setContent(markup);
  const seen = await page.locator("body").innerText();
  expect(seen.split("Ngaire Walsh")).toHaveLength(2);
  const sheets = (await textOfPdf(await page.pdf({ format: "A4" })))
    .split("\n")
    .filter((sheet) => sheet.includes("Marker"));
  expect(sheets.length).toBeGreaterThan(2);
  for (const sheet of sheets) {
    expect(sheet).toContain("Ngaire Walsh");
    expect(sheet).toContain("3 February 1971");
  }
  await page.close();
});
