import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { BiomarkerView, ResultView } from "../../modules/access/open-result.ts";
import { resultPage } from "./result-page.tsx";
import { STYLE } from "./style.ts";
import { foreignClasses } from "./testing/foreign-classes.ts";

const PLACE = { base: "/visit/x" };

const PLAIN = { isAbnormal: false, isUnclear: false };

const biomarker = (id: string, fields: Partial<BiomarkerView> = {}): BiomarkerView => ({
  id,
  name: id,
  commonName: id,
  description: "",
  sampleType: null,
  formattedValue: "12 ug/L",
  value: "12",
  unit: "ug/L",
  isAbnormal: false,
  notes: null,
  history: [{ date: "2025-05-01T02:00:00Z", value: "40", formattedValue: "40 ug/L", ...PLAIN }],
  rangeLow: 30,
  rangeHigh: 200,
  additionalRanges: [],
  ...fields,
});

const show = (biomarkers: BiomarkerView[], fields: Partial<ResultView> = {}) => {
  const result: ResultView = {
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
    unit: { number: 1, of: 2 },
    others: [],
    alert: null,
    contact: null,
    summary: null,
    categories: [{ id: "c", name: "Iron", biomarkers }],
    ...fields,
  };
  const { title, content } = resultPage(result, PLACE, []);
  const html = renderToStaticMarkup(content);
  expect(foreignClasses(html)).toEqual([]);
  return { title, html };
};

test("says whether a number is higher or lower than last time, and nothing beside what needs a doctor", () => {
  const since = (value: string, fields: Partial<ResultView> = {}) =>
    /Since last time: [^<]*/.exec(show([biomarker("ferritin", { value })], fields).html)?.[0];
  expect(since("12")).toBe("Since last time: lower than the 40 ug/L of 1 May 2025");
  expect(since("41")).toBe("Since last time: higher than the 40 ug/L of 1 May 2025");
  expect(since("40")).toBe("Since last time: the same number as on 1 May 2025");
  expect(since("<45")).toBeUndefined();
  expect(since("40", { alert: { level: "critical", count: 1 } })).toBeUndefined();
});

test("says where more values are marked than are critical that nobody named those", () => {
  const marked = ["iron", "ferritin"].map((id) => biomarker(id, { isAbnormal: true }));
  const unnamed = "The laboratory did not say which of these results are critical.";
  const above = (count: number) =>
    show(marked, { alert: { level: "critical", count } }).html.split("<h2>All values")[0] ?? "";
  expect(above(1).split("Outside the expected range: 2")[1]).toContain(unnamed);
  expect(above(2)).not.toContain(unnamed);
  expect(above(3).split(unnamed)).toHaveLength(2);
  expect(show(marked, { alert: { level: "positive", count: 1 } }).html).not.toContain(unnamed);
});

test("sends to the report of a result that has no values here, and counts none as in range", () => {
  const none = { normal: 0, abnormal: 0, critical: 0, total: 0 };
  const { html } = show([], { categories: [], summary: none });
  expect(html).toContain("The values of this result are in the laboratory’s report.");
  expect(html).not.toMatch(/Outside range|All results|All values/);
});

test("says of a result that has changed that an older report is out of date", () => {
  const { html } = show([biomarker("ferritin")], { correctedAt: "2026-06-01T02:00:00Z" });
  expect(html).toContain(
    "A report that you kept from before then is out of date: please throw it away.",
  );
});

test("dates are the days they were in the shop's time zone", () => {
  // Ten past midnight of 2 May in Sydney, ten past ten in the evening before in Perth.
  const at = { resultDate: "2026-05-01T14:10:00Z" };
  const sydney = show([biomarker("ferritin")], at);
  const perth = show([biomarker("ferritin")], { ...at, timeZone: "Australia/Perth" });
  expect(sydney.html).toContain("2 May 2026");
  expect(perth.html).toContain("1 May 2026");
  expect(perth.html).not.toContain("2 May 2026");
});

test("a day without a time is the same day in every zone", () => {
  const zones = ["Australia/Perth", "America/Los_Angeles", "Pacific/Auckland"];
  for (const timeZone of zones) {
    const { html } = show([biomarker("ferritin")], { resultDate: "2026-05-01", timeZone });
    expect(html).toContain("1 May 2026");
    expect(html).toContain("3 February 1971");
  }
});

const placesOf = (html: string, words: string) =>
  [...html.matchAll(new RegExp(words, "g"))].map(({ index }) => index);

test.each([
  ["flagged", [biomarker("a", { isAbnormal: true }), biomarker("b"), biomarker("c")]],
  ["not flagged", [biomarker("a"), biomarker("b")]],
])("explains the lines once, above the first (%s)", (_, biomarkers) => {
  const { html } = show(biomarkers);
  expect(placesOf(html, 'class="pw-trend"')).toHaveLength(biomarkers.length);
  const legends = placesOf(html, "Filled diamond");
  expect(legends).toHaveLength(1);
  expect(legends[0]).toBeLessThan(html.indexOf('class="pw-trend"'));
});

test("where no line is drawn, none is explained", () => {
  expect(placesOf(show([biomarker("a", { history: [] })]).html, "Filled diamond")).toEqual([]);
  const words = biomarker("a", { value: "Detected" });
  expect(placesOf(show([words]).html, "Filled diamond")).toEqual([]);
});

test("a result of a unit with two says which it is", () => {
  expect(show([], { part: "medicare" }).title).toBe("Iron studies, Medicare tests");
  expect(show([]).title).toBe("Iron studies");
});

test("an alert comes before everything else, and nothing on the page reassures", () => {
  const flagged = [biomarker("a", { isAbnormal: true }), biomarker("b")];
  const summary = { normal: 1, abnormal: 0, critical: 1, total: 2 };
  const { html } = show(flagged, { summary, alert: { level: "critical", count: 1 } });
  expect(html.indexOf("The laboratory marked 1 result as critical.")).toBeGreaterThan(0);
  expect(html.indexOf("marked 1 result")).toBeLessThan(html.indexOf("Overview"));
  expect(html).toContain('href="tel:000"');
  for (const words of ["is common", "need not mean", "together with your health", "counts mean"])
    expect(html).not.toContain(words);
  // One number for one thing, in the overview and above the list.
  expect(html).toContain("Outside range: 1");
  expect(html).toContain("Outside the expected range: 1");
  expect(show(flagged, { summary }).html).toContain("is common");
});

test("calms nobody about other values when the laboratory flags fewer than it calls critical", () => {
  const within = biomarker("b", { value: "40", history: [] });
  const summary = { normal: 1, abnormal: 0, critical: 1, total: 2 };
  const abnormal = {
    date: "2025-05-01",
    value: "9",
    formattedValue: "9",
    ...PLAIN,
    isAbnormal: true,
  };
  const values = [biomarker("a", { history: [abnormal] }), within];
  const { html } = show(values, { summary, alert: { level: "critical", count: 1 } });
  for (const words of ["in range", "Within range", "Outside range", "No concern"])
    expect(html).not.toContain(words);
  expect(html).toContain("did not say which of these results are critical");
  expect(html).toContain("Values: 2");
});

test("counts nothing as within its range that is not said to be", () => {
  const summary = { normal: 4, abnormal: 0, critical: 0, total: 4 };
  const values = [
    biomarker("a", { value: "40", history: [] }),
    biomarker("b", { value: "12", history: [] }),
    biomarker("c", {
      value: "Haemolysed – not reported",
      formattedValue: "Haemolysed – not reported",
      history: [],
    }),
    biomarker("d", {
      value: "Non reactive",
      rangeLow: null,
      rangeHigh: null,
      history: [],
    }),
  ];
  const { html } = show(values, { summary });
  expect(html).toContain("Within range: 1");
  expect(html).toContain("No concern noted by the lab: 1");
  expect(html).toContain("See the report: 2");
  expect(html).toContain("All results: 4");
  // Each word as often as it is counted.
  expect(placesOf(html, "No concern noted by the lab")).toHaveLength(1 + 1);
});

test("calms nobody where the laboratory counts more outside range than it marks", () => {
  const summary = { normal: 1, abnormal: 1, critical: 0, total: 2 };
  const values = [
    biomarker("a", { value: "40", history: [] }),
    biomarker("b", { value: "41", history: [] }),
  ];
  const { html } = show(values, { summary });
  for (const words of ["in range", "Within range", "Outside range", "No concern", "counts mean"])
    expect(html).not.toContain(words);
  expect(html).toContain("counted more of these results outside range than it marked");
});

test("calls it common only that one number is beyond its range", () => {
  const beyond = (id: string, value = "12") =>
    biomarker(id, { value, isAbnormal: true, history: [] });
  expect(show([beyond("a")]).html).toContain("is common");
  expect(show([beyond("a"), beyond("b")]).html).not.toContain("is common");
  expect(show([beyond("a", "Heavy growth")]).html).not.toContain("is common");
});

test("says of no earlier value that nothing was noted where its result left that unclear", () => {
  const earlier = { date: "2025-05-01", value: "6.9", formattedValue: "6.9", ...PLAIN };
  const shown = (isUnclear: boolean) =>
    show([biomarker("a", { value: "40", history: [{ ...earlier, isUnclear }] })]).html;
  expect(shown(false)).toContain("No concern noted by the lab");
  expect(shown(true)).not.toContain("No concern noted by the lab");
  expect(shown(true)).toContain("See the report");
});

test("says of no number beyond its range that all are in range", () => {
  const beyond = biomarker("a", { value: "12", history: [] });
  expect(show([beyond]).html).not.toContain("All 1 in range");
  expect(show([biomarker("a", { value: "40" })]).html).toContain("All 1 in range");
});

test("a culture keeps its lines: each says what one germ resists", () => {
  const lines = "Escherichia coli\nAmoxicillin R\nTrimethoprim S";
  const said = { value: lines, formattedValue: lines, history: [], notes: "One.\nTwo." };
  for (const isAbnormal of [true, false]) {
    const { html } = show([biomarker("culture", { ...said, isAbnormal })]);
    expect(html).toMatch(new RegExp(`<(p|strong) class="[^"]*pw-said">${lines}</`));
    expect(html).toMatch(/<p class="pw-said">Laboratory note: One\.\nTwo\.</);
  }
  expect(STYLE).toContain(".pw-said{white-space:pre-line}");
});

test("leads to every other result of the same test", () => {
  const others = [
    { id: "s", reportedOn: "2026-04-03" },
    { id: "t", reportedOn: null },
  ];
  const { html } = show([], { others });
  expect(html).toContain(
    '<a class="pw-call" href="/visit/x/results/s">Results reported on 3 April 2026</a>',
  );
  expect(html).toContain('<a class="pw-call" href="/visit/x/results/t">Results without a date</a>');
  expect(html).toContain("Other results of this test");
  expect(show([]).html).not.toContain("Other results of this test");
});

test("says before any figure that values were corrected, and since when", () => {
  const { html } = show([biomarker("a")], { correctedAt: "2026-05-03T14:10:00Z" });
  expect(html).toContain("These results have changed");
  expect(html).toContain("last on 4 May 2026");
  expect(html.indexOf("have changed")).toBeLessThan(html.indexOf("12 ug/L"));
  expect(show([biomarker("a")]).html).not.toContain("have changed");
});

test("names the patient, the date of birth and which of several before any figure", () => {
  const { html } = show([biomarker("a", { isAbnormal: true })]);
  expect(html).toContain("Ngaire Walsh, born 3 February 1971");
  expect(html).toContain("Test 1 of 2");
  expect(html.indexOf("Ngaire Walsh")).toBeLessThan(html.indexOf("12 ug/L"));
});

test("says of each marker what it measures and its sample, as the service does", () => {
  const said = { description: "Ferritin stores iron.", sampleType: "whole-blood" };
  for (const isAbnormal of [true, false]) {
    const { html } = show([biomarker("ferritin", { ...said, isAbnormal })]);
    expect(html).toContain("Ferritin stores iron.");
    expect(html).toContain("Sample: whole blood");
  }
  expect(show([biomarker("ferritin")]).html).not.toContain("Sample");
  // Beside what needs a doctor nothing is said that could calm or frighten.
  const alert = { level: "critical", count: 1 } as const;
  expect(show([biomarker("ferritin", said)], { alert }).html).not.toContain("stores iron");
});
