/** Long because it walks through the whole page: the list, a result in each of its states, and what fails. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AppServer, startAppServer } from "../../testing/app-server.ts";
import { hostOfLocale } from "../../testing/host-of-locale.ts";
import { act, all, attribute, one, renderInto, until } from "../../testing/render.tsx";
import { sampleRequest } from "../../testing/sample-request.ts";
import { MyTests } from "./my-tests.tsx";
import type { PageNavigation } from "./place.ts";

const LIST = "GET /api/customer/requests?paged";
let server: AppServer;
beforeAll(async () => {
  server = await startAppServer();
});
afterAll(() => server.close());

/** A page whose address can be changed from inside and by the browser's back button. */
function pageAt(url: string): PageNavigation & { back(): void } {
  const listeners = new Set<() => void>();
  const visited = [url];
  const tell = () => {
    for (const listener of listeners) listener();
  };
  return {
    get currentEntry() {
      return { url: visited.at(-1) ?? null };
    },
    navigate(address) {
      visited.push(address);
      tell();
    },
    back() {
      visited.pop();
      tell();
    },
    addEventListener: (_, listener) => void listeners.add(listener),
    removeEventListener: (_, listener) => void listeners.delete(listener),
  };
}

const show = (navigation = pageAt("extension:/")) =>
  renderInto(hostOfLocale("my-tests"), server.origin, <MyTests navigation={navigation} />);

const result = {
  id: "res-1",
  title: "Iron studies",
  status: "PARTIAL",
  partial: true,
  correctedAt: "2026-11-04T03:00:00Z",
  resultDate: "2026-11-02T03:00:00Z",
  summary: { normal: 1, abnormal: 1, critical: 0, total: 2 },
  reading: {
    unclear: null,
    counts: { outside: 1, within: 0, unflagged: 1, see_report: 0 },
    isOneNumber: true,
  },
  categories: [
    {
      id: "iron",
      name: "Iron",
      outside: 1,
      says: "outside",
      biomarkers: [
        {
          id: "ferritin",
          name: "Ferritin",
          commonName: "Iron store",
          description: "Ferritin stores iron.",
          sampleType: "whole-blood",
          formattedValue: "12 ug/L",
          value: "12",
          unit: "ug/L",
          isAbnormal: true,
          flag: "low",
          placement: { zone: "below", lowPercent: 25, highPercent: 75, valuePercent: 20 },
          change: "lower",
          notes: "Suggest repeat",
          rangeLow: 30,
          rangeHigh: 200,
          history: [
            {
              date: "2026-05-01T02:00:00Z",
              value: "40",
              formattedValue: "40 ug/L",
              isAbnormal: false,
              flag: "unflagged",
            },
          ],
          additionalRanges: [
            { id: "high-risk", name: "Athletes", category: "x", low: 50, high: null },
          ],
        },
        {
          id: "film",
          name: "Blood film",
          commonName: "Blood film",
          formattedValue: "Unremarkable",
          value: "Unremarkable",
          unit: "",
          isAbnormal: false,
          flag: "unflagged",
          notes: null,
          rangeLow: null,
          rangeHigh: null,
          additionalRanges: null,
        },
      ],
    },
  ],
};

test("a failure is told with a retry, which then shows the requests by order", async () => {
  server.answer(LIST, 500, {});
  const root = show();
  await until(() => one(root, "s-banner", "That did not work"));
  server.answer(LIST, 200, [
    sampleRequest({ id: "a" }),
    sampleRequest({
      id: "b",
      orderId: "gid://shopify/Order/7",
      orderName: "#7",
      state: "form_ready",
    }),
  ]);
  act(one(root, "s-button", "Try again"), "click");
  await until(() => one(root, "s-section", "Order #7"));
  expect(all(root, "s-badge").map(({ textContent }) => textContent)).toEqual([
    "Details needed",
    "Form ready",
  ]);
  one(root, "s-banner", "Details needed: 1");
});

test("an empty list says what will appear here", async () => {
  server.answer(LIST, 200, []);
  const root = show();
  await until(() => one(root, "s-section", "No tests yet"));
});

test("a result is shown with words for its flags, its ranges and that it is partial", async () => {
  server.answer("GET /api/customer/results/res-1", 200, result);
  server.answer(LIST, 200, [sampleRequest({ state: "partial_results", resultId: "res-1" })]);
  const page = pageAt("extension:/");
  const root = show(page);
  await until(() => act(one(root, "s-button", "See results"), "click"));
  expect(page.currentEntry?.url).toBe("extension:/results/res-1");
  await until(() => one(root, "s-section", "Outside the expected range: 1"));
  one(root, "s-banner", "These results are partial");
  const words = root.textContent ?? "";
  for (const expected of [
    "Reported on 2 November 2026",
    "last on 4 November 2026",
    "Outside range: 1",
    "12 ug/L",
    "Expected range: 30 to 200",
    "Athletes: from 50 ug/L",
    "Laboratory note: Suggest repeat",
    "Ferritin stores iron.",
    "Sample: whole blood",
    "Unremarkable",
  ])
    expect(words).toContain(expected);
  expect(all(root, "s-badge").map(({ textContent }) => textContent)).toEqual(["Low"]);
  // Said in words, also where nothing is flagged, and where to find what is.
  expect(words).toContain("Ferritin: Low (see above)");
  expect(words).toContain("Blood film: Unremarkable, No concern noted by the lab");
  expect(words).toContain("Since last time: lower than the 40 ug/L of 1 May 2026");
  expect(words).toContain("1 May 2026: 40 ug/L, No concern noted by the lab");
  act(one(root, "s-button", "Back to my tests"), "click");
  await until(() => one(root, "s-section", "Order #1001"));
  page.back();
  await until(() => one(root, "s-section", "Outside the expected range: 1"));
});

test("dates are the days they were in the shop's time zone, and a date of birth never shifts", async () => {
  server.answer("GET /api/customer/results/res-9", 200, {
    ...result,
    id: "res-9",
    // Ten past midnight of 3 November in Sydney.
    resultDate: "2026-11-02T13:10:00Z",
    timeZone: "Australia/Perth",
    patient: { name: "Ngaire Walsh", dob: "1971-02-03" },
    alert: {
      level: "critical",
      count: 1,
      heading: "See a doctor today",
      text: "Now.",
      actions: [],
    },
  });
  server.answer(LIST, 200, []);
  const root = show(pageAt("extension:/results/res-9"));
  await until(() => expect(root.textContent).toContain("Reported on 2 November 2026"));
  expect(root.textContent).toContain("3 February 1971");
});

test("where more is critical than is flagged, the page says so and counts nothing", async () => {
  const [iron] = result.categories;
  server.answer("GET /api/customer/results/res-8", 200, {
    ...{ ...result, id: "res-8", reading: { ...result.reading, unclear: "critical" } },
    categories: [
      {
        ...iron,
        biomarkers: iron?.biomarkers.map((one) =>
          one.isAbnormal ? one : { ...one, flag: "see_report" },
        ),
      },
    ],
  });
  server.answer(LIST, 200, []);
  const root = show(pageAt("extension:/results/res-8"));
  await until(() => expect(root.textContent).toContain("Blood film: Unremarkable, See the report"));
  expect(root.textContent).toContain("did not say which of these results are critical");
  for (const counted of ["Outside range: 1", "One value outside"])
    expect(root.textContent).not.toContain(counted);
});

test("where more is flagged than is critical, the page says that nobody named what is critical", async () => {
  const [iron] = result.categories;
  const alert = { level: "critical", count: 1, heading: "See a doctor today", text: "Now." };
  server.answer("GET /api/customer/results/res-10", 200, {
    ...{ ...result, id: "res-10", alert: { ...alert, actions: [] } },
    categories: [
      { ...iron, biomarkers: iron?.biomarkers.map((one) => ({ ...one, isAbnormal: true })) },
    ],
  });
  server.answer(LIST, 200, []);
  const root = show(pageAt("extension:/results/res-10"));
  await until(() => one(root, "s-section", "Outside the expected range: 2"));
  expect(root.textContent).toContain("did not say which of these results are critical");
});

test("an app of an earlier version leaves every word about a value to the report", async () => {
  const { reading: _, categories, ...rest } = result;
  const earlier = categories.map(({ id, name, biomarkers }) => ({
    ...{ id, name },
    biomarkers: biomarkers.map(({ flag: _, ...one }) => ({ ...one, history: [] })),
  }));
  server.answer("GET /api/customer/results/res-4", 200, {
    ...rest,
    id: "res-4",
    categories: earlier,
  });
  server.answer(LIST, 200, []);
  const root = show(pageAt("extension:/results/res-4"));
  await until(() => expect(root.textContent).toContain("Blood film: Unremarkable, See the report"));
  expect(all(root, "s-badge").map(({ textContent }) => textContent)).toEqual(["Not as expected"]);
  expect(root.textContent).toContain("Iron: 2");
  for (const calming of ["No concern", "Within range", "Outside range: "])
    expect(root.textContent).not.toContain(calming);
});

test("a result leads to the others of its test, and shows nothing of its own there", async () => {
  const others = [{ id: "res-6", reportedOn: "2026-10-30" }];
  server.answer("GET /api/customer/results/res-5", 200, { ...result, id: "res-5", others });
  server.answer("GET /api/customer/results/res-6", 500, {});
  server.answer(LIST, 200, []);
  const page = pageAt("extension:/results/res-5");
  const root = show(page);
  await until(() => act(one(root, "s-button", "Results reported on 30 October 2026"), "click"));
  expect(page.currentEntry?.url).toBe("extension:/results/res-6");
  await until(() => one(root, "s-banner", "That did not work"));
  expect(root.textContent).not.toContain("Ferritin");
});

test("a culture keeps its lines: each says what one germ resists", async () => {
  const lines = ["Escherichia coli", "Amoxicillin R", "Trimethoprim S"];
  const culture = {
    ...{ id: "culture", name: "Culture", isAbnormal: false, unit: "" },
    value: lines.join("\n"),
    notes: "Collected at home\r\nRepeat if symptoms last",
  };
  server.answer("GET /api/customer/results/res-7", 200, {
    ...{ ...result, id: "res-7" },
    categories: [{ id: "m", name: "Microbiology", biomarkers: [culture] }],
  });
  server.answer(LIST, 200, []);
  const root = show(pageAt("extension:/results/res-7"));
  await until(() => expect(root.textContent).toContain("Culture: Escherichia coli …"));
  const texts = all(root, "s-text").map(({ textContent }) => textContent);
  for (const line of [...lines, "Laboratory note: Collected at home", "Repeat if symptoms last"])
    expect(texts).toContain(line);
});

test("a result of a unit with two shows which it is, with its own report alone", async () => {
  server.answer("GET /api/customer/results/res-2", 200, {
    ...result,
    id: "res-2",
    part: "medicare",
  });
  const report = { kind: "result", version: 1, partial: false } as const;
  const documents = [
    { ...report, id: "d1", part: "commercial", resultId: "res-1" },
    { ...report, id: "d2", part: "medicare", resultId: "res-2" },
  ] as const;
  server.answer(LIST, 200, [
    sampleRequest({ state: "results_ready", resultId: "res-1", documents: [...documents] }),
  ]);
  server.answer("POST /api/customer/documents/d2/open", 200, { url: "https://pathway.example/2" });
  const host = hostOfLocale("my-tests");
  const navigation = pageAt("extension:/results/res-2");
  const root = renderInto(host, server.origin, <MyTests navigation={navigation} />);
  await until(() => expect(attribute(one(root, "s-page"), "subheading")).toBe("Medicare tests"));
  // The way back, the one report, and sharing.
  await until(() => expect(all(root, "s-button")).toHaveLength(3));
  act(one(root, "s-button", "Open result report"), "click");
  await until(() => expect(host.visited).toEqual(["https://pathway.example/2"]));
});

test("shares a result, and shows link, passcode and each look", async () => {
  const share = {
    ...{ id: "s1", resultId: "res-1", url: "https://pathway.example/shares/shop.x" },
    ...{ passcode: "40281937", expiresAt: "2026-12-08T02:00:00Z" },
    opens: [{ at: "2026-11-24T05:10:00Z" }],
  };
  server.answer("GET /api/customer/results/res-1", 200, result);
  server.answer(LIST, 200, []);
  server.answer("POST /api/customer/results/res-1/shares", 200, { ...share, opens: [] });
  server.answer("GET /api/customer/shares", 200, [share, { ...share, resultId: "res-2" }]);
  const root = show(pageAt("extension:/results/res-1"));
  await until(() => one(root, "s-button", "Make a link and a passcode"));
  const make = one(root, "s-button", "Make a link and a passcode");
  act(make, "click");
  // Each press comes as a message of its own from the page.
  await new Promise((next) => setImmediate(next));
  act(make, "click");
  await until(() => one(root, "s-section", "Shared link 1"));
  const made = server.received.filter(({ path }) => path.endsWith("/res-1/shares"));
  expect(made).toHaveLength(1);
  const texts = all(root, "s-text").map(({ textContent }) => textContent);
  expect(texts).toContain(share.url);
  expect(texts).toContain("4028 1937");
  expect(texts.filter((text) => text?.startsWith("Opened"))).toHaveLength(1);
  expect(texts).toContain(`It opens until 8 Dec 2026, 1:00 pm AEDT.`);
  // A banner is a live region of the host: what to do with the link is read aloud.
  const told = one(root, "s-banner", "The link is ready");
  expect(told.textContent).toContain("Give the link to your doctor");

  server.answer("DELETE /api/customer/shares/s1", 204, null);
  act(one(root, "s-button", "End this link"), "click");
  await until(() => expect(all(root, "s-banner")).not.toContain(told));
});

test("a long result begins with what needs a look; every category is closed", async () => {
  server.answer("GET /api/customer/results/res-1", 200, result);
  server.answer(LIST, 200, []);
  const root = show(pageAt("extension:/results/res-1"));
  await until(() => one(root, "s-section", "All values"));
  expect(all(root, "s-details").filter((one) => attribute(one, "open"))).toEqual([]);
  expect(all(root, "s-section").map((one) => attribute(one, "heading"))).toEqual([
    "Overview",
    "Outside the expected range: 1",
    "All values",
  ]);
  expect(root.textContent).toContain("Iron: 1 of 2 outside range");
});

test("a result that is not released, or somebody else's, shows nothing of it", async () => {
  server.answer(LIST, 200, []);
  const root = show(pageAt("extension:/results/foreign"));
  await until(() => one(root, "s-banner", "Not available"));
  expect(all(root, "s-section")).toEqual([]);
});
