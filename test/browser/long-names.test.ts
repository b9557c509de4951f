import type { Browser, Page as Tab } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ResultView } from "../../app/modules/access/open-result.ts";
import { dataPage } from "../../app/web/customer-pages/data-page.tsx";
import type { Page } from "../../app/web/customer-pages/page.tsx";
import { hostedPage, NO_SHOP } from "../../app/web/customer-pages/page-response.tsx";
import { resultPage } from "../../app/web/customer-pages/result-page.tsx";
import {
  deleteSavedPage,
  savedPatientsPage,
} from "../../app/web/customer-pages/saved-patients-page.tsx";
import { unitsPage } from "../../app/web/customer-pages/units-page.tsx";
import { launchBrowser } from "../../sandbox/store/web/testing/browser.ts";
import { PATIENT } from "../database/seed.ts";
import { judgeComfort } from "./comfort.ts";

/** As long as a form takes, in one word each. */
const PERSON = {
  ...PATIENT,
  firstName: "Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewis",
  lastName: "Papadopoulosová-Šťastná-Đặng-O’Brien-Te-Whāriki-Nguyễn-Mbeki",
};

const CONTEXT = { base: "/visit/x", formToken: "t", timeZone: "Australia/Perth" };
const UNIT = {
  id: "1",
  orderId: "gid://shopify/Order/1",
  orderName: "#1001",
  title: "Iron studies",
  patientName: `${PERSON.firstName} N.`,
  inOrder: { number: 1, of: 2 },
  replacement: 0,
  state: "form_ready",
  nextStep: "Open the referral form.",
  documents: [{ id: "d", kind: "referral", version: 1, partial: false, part: null }],
  parts: [],
  needsMedicare: false,
  canCorrect: true,
  needsDecision: false,
  phones: [],
  prefill: null,
  canHandOver: false,
  handOver: null,
  notice: null,
  preparation: null,
  access: { details: "granted", form: "granted", results: "granted" },
} as unknown as Parameters<typeof unitsPage>[0][number];

let browser: Browser;
let tab: Tab;
beforeAll(async () => {
  browser = await launchBrowser();
  tab = await browser.newPage();
});
afterAll(() => browser.close());

/** Names of tests and markers as laboratories write them. With large text each word is wider than a phone. */
const LONG_TEST = { ...UNIT, patientName: "Ngaire W.", title: "Cytomegalovirus antibodies" };
const RESULT = {
  ...{ id: "r", title: LONG_TEST.title, part: null, status: "COMPLETE", partial: false },
  ...{ correctedAt: null, resultDate: "2026-05-01T02:00:00Z", reportedOn: "2026-05-01" },
  ...{ timeZone: "Australia/Perth", unit: { number: 1, of: 2 }, others: [], alert: null },
  ...{ patient: { name: "Ngaire Walsh", dob: "1971-02-03" }, contact: null, summary: null },
  categories: [
    {
      ...{ id: "Immunoglobulins", name: "Immunoglobulins" },
      biomarkers: [true, false].map((isAbnormal) => ({
        ...{ id: `m${isAbnormal}`, name: "25-Hydroxycholecalciferol", commonName: "Vitamin D" },
        ...{ description: "", sampleType: "serum", formattedValue: "12 nmol/L" },
        ...{ value: "12", unit: "nmol/L", isAbnormal, notes: null, rangeLow: 30, rangeHigh: 200 },
        ...{ history: [], additionalRanges: [] },
      })),
    },
  ],
} satisfies ResultView;

const saved = { people: [{ id: "1", person: PERSON }], retentionMonths: null };
test.each<[string, Page]>([
  ["the list of tests", unitsPage([UNIT], CONTEXT)],
  ["a test with a long name", unitsPage([LONG_TEST], CONTEXT)],
  ["a result with long names", resultPage(RESULT, CONTEXT, [])],
  ["data and privacy", dataPage({ units: [UNIT], accesses: [], hasAccount: true }, CONTEXT)],
  ["saved details", savedPatientsPage(saved, CONTEXT)],
  ["the question whether to delete saved details", deleteSavedPage(PERSON, CONTEXT)],
])("a long name stays on the page: %s", async (_, page) => {
  await tab.setContent(await hostedPage(page, { help: NO_SHOP }).text());
  expect(await judgeComfort(tab, [])).toEqual([]);
});
