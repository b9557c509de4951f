/** Each page of a patient's as it is heard and read, drawn without a world: of an order of twelve, and of a full result. */
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Browser, Page as Tab } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LINK_ENDS } from "../../app/modules/access/link-end.ts";
import type { BiomarkerView, ResultView } from "../../app/modules/access/open-result.ts";
import { agreedPage } from "../../app/web/customer-pages/agreed-page.tsx";
import { codePage } from "../../app/web/customer-pages/code-page.tsx";
import { dataPage, erasePage } from "../../app/web/customer-pages/data-page.tsx";
import { detailsPage } from "../../app/web/customer-pages/details-page.tsx";
import { invitationPage, whoPage } from "../../app/web/customer-pages/invitation-page.tsx";
import {
  goneLinkPage,
  notFoundPage,
  openLinkPage,
  renewedLinkPage,
  signedOutPage,
  stopPage,
} from "../../app/web/customer-pages/message-pages.tsx";
import type { Page } from "../../app/web/customer-pages/page.tsx";
import { hostedPage } from "../../app/web/customer-pages/page-response.tsx";
import { resultPage } from "../../app/web/customer-pages/result-page.tsx";
import {
  deleteSavedPage,
  savedPatientsPage,
} from "../../app/web/customer-pages/saved-patients-page.tsx";
import { passcodePage, sharedPage, sharesPage } from "../../app/web/customer-pages/share-page.tsx";
import { unitsPage } from "../../app/web/customer-pages/units-page.tsx";
import { startingValues } from "../../extensions/shared/patient-fields.ts";
import { launchBrowser } from "../../sandbox/store/web/testing/browser.ts";
import { PATIENT } from "../database/seed.ts";
import { judgeAsHeard } from "./as-heard.ts";
import { tooWide } from "./page-faults.ts";

const SCREENSHOTS = fileURLToPath(new URL("../../screenshots/", import.meta.url));
const IS_GALLERY = process.env.PATHWAY_GALLERY === "1";
const CONTEXT = { base: "/visit/x", formToken: "t", timeZone: "Australia/Perth" };
const HELP = {
  ...{ shopName: "Harbour Pathology", email: "help@harbour.example", phone: "03 9000 0000" },
  ...{ hours: "Mon to Fri, 9 to 5", timeZone: "Australia/Perth" },
};
type Unit = Parameters<typeof unitsPage>[0][number];
const TITLES = ["Thyroid check", "Iron studies", "Vitamin D", "Cholesterol", "Liver", "Diabetes"];
const STATES = [
  ...["awaiting_details", "awaiting_details", "form_ready", "being_prepared", "cancelled"],
  ...["needs_support", "in_review", "results_ready", "partial_results", "results_hidden"],
  ...["handed_over", "awaiting_details"],
] as Unit["state"][];
const unit = (state: Unit["state"], index: number): Unit =>
  ({
    ...{ id: `u${index}`, orderId: "gid://shopify/Order/1", orderName: "#1001" },
    title: TITLES[index >> 1] ?? "",
    patientName: state === "awaiting_details" || state === "handed_over" ? null : "Ngaire W.",
    inOrder: { number: index + 1, of: STATES.length },
    ...{ replacement: 0, state, nextStep: "You don’t need to do anything.", parts: [] },
    documents: /form|result|review/.test(state)
      ? [
          { id: `d${index}`, kind: "referral", version: 2, partial: false, part: null },
          ...(/result/.test(state)
            ? [{ id: `e${index}`, kind: "result", version: 1, partial: false, part: null }]
            : []),
        ]
      : [],
    resultId: /result/.test(state) ? `r${index}` : null,
    ...{
      needsMedicare: false,
      canCorrect: state === "form_ready",
      needsDecision: false,
      phones: [],
    },
    ...{ prefill: null, canHandOver: true, notice: null, preparation: null },
    handOver: state === "handed_over" ? { state: "sent", canTakeBack: true } : null,
    access: { details: "granted", form: "granted", results: "granted" },
  }) as unknown as Unit;
const UNITS = STATES.map(unit);
/** Tests whose owners were asked for something last: to ring, to wait for the shop, and to look elsewhere for a child. */
const TO_DO = [
  {
    ...unit("in_review", 0),
    isForToday: true,
    nextStep:
      "There is news about this test that we want to tell you in person. Please ring Dr Ruby Ng today: 03 9000 1111. If nobody answers or you feel unwell, call Healthdirect on 1800 022 222, day or night. In an emergency call 000.",
    phones: ["03 9000 1111", "1800 022 222", "000"],
  },
  {
    ...unit("needs_support", 1),
    needsDecision: true,
    nextStep:
      "This test was refunded or removed from the order. Please don’t use its form for now: the shop is deciding whether the test goes ahead. We will email you. If you asked for this, you don’t need to do anything. If you didn’t expect it, contact the shop.",
  },
  {
    ...unit("awaiting_details", 2),
    nextStep:
      "The date of birth given last is under the shop’s minimum age. If it is right, we can’t order this test: contact the shop to cancel and refund it, and see a GP about the health concern. If it isn’t, enter the right details.",
  },
];
const BY_MAIL = UNITS.map((one) => ({
  ...one,
  access: { details: "other_purpose", form: "other_purpose", results: "other_purpose" } as const,
}));

const marker = (index: number, isAbnormal: boolean): BiomarkerView => ({
  ...{ id: `m${index}`, name: `Marker ${index}`, commonName: `Marker ${index}` },
  ...{ description: "Carries oxygen.", sampleType: "serum", formattedValue: "12 ug/L" },
  ...{ value: "12", unit: "ug/L", isAbnormal, notes: null, rangeLow: 30, rangeHigh: 200 },
  history: [
    {
      ...{ date: "2025-05-01T02:00:00Z", value: "40", formattedValue: "40 ug/L" },
      ...{ isAbnormal: false, isUnclear: false },
    },
  ],
  additionalRanges: [],
});
const category = (id: string, from: number) => ({
  ...{ id, name: id },
  biomarkers: Array.from({ length: 10 }, (_, index) => marker(from + index, index % 4 === 0)),
});
const RESULT: ResultView = {
  ...{ id: "r", title: "Iron studies", part: null, status: "COMPLETE", partial: true },
  ...{ correctedAt: "2026-05-02T02:00:00Z", resultDate: "2026-05-01T02:00:00Z" },
  ...{ reportedOn: "2026-05-01", timeZone: "Australia/Perth", unit: { number: 1, of: 2 } },
  patient: { name: "Ngaire Walsh", dob: "1971-02-03" },
  others: [{ id: "o", reportedOn: "2026-04-01" }],
  ...{ alert: { level: "critical", count: 2 }, contact: { name: "Dr Ng", phone: "03 9000 1111" } },
  summary: null,
  categories: [
    category("Blood", 0),
    category("Iron", 10),
    category("Liver", 20),
    category("Kidney", 30),
  ],
};
const DOCUMENTS = [{ id: "d", name: "Open result report" }];
const share = (number: number) => ({
  ...{ id: `s${number}`, url: `https://tests.example/s/${number}`, passcode: "12345678" },
  ...{ expiresAt: new Date("2026-12-11T13:18:00Z"), opens: [{ at: new Date("2026-12-01") }] },
});
const AT = new Date("2026-12-01T02:00:00Z");
const FORM = {
  ...{ title: "Iron studies, test 1 of 2, order #1001", values: startingValues(null), others: [] },
  ...{ needsMedicare: true, notice: null },
};
const SAVED = {
  people: [PATIENT, { ...PATIENT, firstName: "Kiri" }, null].map((person, index) => ({
    id: `${index}`,
    person,
  })),
  retentionMonths: 24,
};
const CHOICE = {
  people: SAVED.people.slice(0, 2).map(({ id, person }) => ({
    id,
    name: person?.firstName ?? "",
    href: `?saved=${id}`,
  })),
  ...{ filledFrom: null, keeping: { retentionMonths: 24, isKept: false } },
};
const STEP = { to: "k•••@example.com", hasCode: true, pausedUntil: null };
const accesses = TITLES.map((title, index) => ({
  ...({ at: new Date(AT.getTime() + index), who: "customer", what: "details_saved" } as const),
  ...{ requestId: `u${index}`, title },
}));
const consent = (index: number) => ({
  ...{ requestId: `u${index}`, title: TITLES[index] ?? "", version: "8", givenBy: "patient" },
  ...{ givenAt: AT, wording: ["We pass these on.", "I agree."] },
});

const PAGES: [string, Page][] = [
  ["twelve", unitsPage(UNITS, CONTEXT, { saved: "kept", hasAccount: true, next: "n" })],
  ["what-to-do", unitsPage(TO_DO, CONTEXT)],
  ["twelve-by-mail", unitsPage(BY_MAIL, CONTEXT, { isInvitationCancelled: true })],
  ["none", unitsPage([], CONTEXT)],
  ["who", whoPage({ title: FORM.title, id: "1" }, CONTEXT)],
  ["details", detailsPage({ ...FORM, errors: {}, status: 200, saved: CHOICE }, CONTEXT)],
  [
    "details-refused",
    detailsPage(
      {
        ...FORM,
        errors: {
          firstName: "Enter the first name.",
          dob: "Enter the date of birth.",
          consent: "Tick the box to continue.",
        },
        status: 422,
      },
      CONTEXT,
    ),
  ],
  [
    "invitation",
    invitationPage({ title: FORM.title, id: "1", email: "", error: null, status: 200 }, CONTEXT),
  ],
  [
    "invitation-refused",
    invitationPage(
      {
        title: FORM.title,
        id: "1",
        email: "x",
        error: "Enter a whole email address.",
        status: 422,
      },
      CONTEXT,
    ),
  ],
  ["data", dataPage({ units: UNITS, accesses, hasAccount: true }, CONTEXT)],
  [
    "erase",
    erasePage(
      { id: "1", title: FORM.title, effect: "unseen_results", isHidden: false, isChanged: true },
      CONTEXT,
    ),
  ],
  ["agreed", agreedPage([0, 1].map(consent) as never, CONTEXT)],
  ["saved", savedPatientsPage(SAVED, CONTEXT)],
  ["delete-saved", deleteSavedPage(PATIENT, CONTEXT)],
  ["delete-unread", deleteSavedPage(null, CONTEXT)],
  ["result-critical", resultPage(RESULT, CONTEXT, DOCUMENTS)],
  [
    "result-plain",
    resultPage({ ...RESULT, alert: null, correctedAt: null, partial: false }, CONTEXT, DOCUMENTS),
  ],
  [
    "shares",
    sharesPage(
      { resultId: "r", title: FORM.title, shares: [share(2), share(1)] as never },
      CONTEXT,
    ),
  ],
  ["passcode", passcodePage({ help: HELP, fault: "wrong" })],
  [
    "shared",
    sharedPage(
      {
        view: RESULT,
        report: { id: "d", kind: "result", version: 1, partial: false },
        expiresAt: AT,
      } as never,
      "/shares/x",
    ),
  ],
  ["code", codePage(STEP as never, CONTEXT, { fault: "wrong", now: AT })],
  ["link", openLinkPage(HELP.shopName, { formToken: "t", hasNoCookie: true })],
  ...([...LINK_ENDS, "unknown"] as const).map((why): [string, Page] => [
    `gone-${why}`,
    goneLinkPage(why),
  ]),
  ["renewed", renewedLinkPage({ isKept: true })],
  ["stop", stopPage()],
  ["signed-out", signedOutPage({ isKept: true })],
  ["not-found", notFoundPage("/visit/x")],
];

let browser: Browser;
let tab: Tab;
beforeAll(async () => {
  browser = await launchBrowser();
  tab = await browser.newPage({ viewport: { width: 320, height: 900 } });
  if (IS_GALLERY) await mkdir(SCREENSHOTS, { recursive: true });
});
afterAll(() => browser.close());

test.each(PAGES)(
  "%s: is told in sequence, with a name for each control, at 320 px",
  async (name, page) => {
    await tab.setContent(await hostedPage(page, { help: HELP }).text());
    await tab.locator("details").evaluateAll((all) => {
      for (const one of all) one.setAttribute("open", "");
    });
    if (IS_GALLERY)
      await tab.screenshot({ path: `${SCREENSHOTS}patient-${name}.png`, fullPage: true });
    expect(await judgeAsHeard(tab, ".pw-page")).toEqual([]);
    expect(await tooWide(tab)).toEqual([]);
  },
);
