import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { OWNER, startIssued } from "../../../test/database/issued.ts";
import { findCustomerRequest } from "../../modules/access/list-requests.ts";
import { wholePhones } from "../../platform/whole-phones.ts";
import { presentCustomerRequest } from "../customer-interface/present-request.ts";
import { hostedPage, NO_SHOP } from "./page-response.tsx";
import { unitsPage } from "./units-page.tsx";

const db = await openTestDatabase();
const CONTEXT = { base: "/visit/x", formToken: "t", timeZone: "Australia/Perth" };

/** The names of the page's regions, as a screen reader lists them. */
function regionsOf(markup: string): string[] {
  const textOf = (id: string) =>
    new RegExp(`id="${id}"[^>]*>(.*?)</(?:h2|p)>`).exec(markup)?.[1]?.replaceAll(/<[^>]+>/g, "");
  return [...markup.matchAll(/<section[^>]*aria-labelledby="([^"]+)"/g)].map(([, ids = ""]) =>
    ids.split(" ").map(textOf).join(" "),
  );
}

test("tells two tests of one title apart by their names in a list of the page's regions", async () => {
  const { shop, ports, requestId } = await startIssued(db);
  const found = await findCustomerRequest(ports, { shop, viewer: OWNER, requestId });
  if (!found) throw new Error("not shown");
  const unit = { ...presentCustomerRequest(found), inOrder: { number: 1, of: 2 } };
  const other = { ...unit, id: "2", patientName: "Ben C.", inOrder: { number: 2, of: 2 } };
  const waiting = { ...unit, id: "3", patientName: null, inOrder: { number: 1, of: 1 } };
  const page = hostedPage(unitsPage([unit, other, waiting], CONTEXT), { help: NO_SHOP });
  expect(regionsOf(await page.text())).toEqual([
    "Iron studies For Ada C. · Test 1 of 2",
    "Iron studies For Ben C. · Test 2 of 2",
    "Iron studies",
  ]);
});

test("tells an invited patient of several tests that each has its own email, also after saving the details of one", async () => {
  const { shop, ports, requestId } = await startIssued(db);
  const found = await findCustomerRequest(ports, { shop, viewer: OWNER, requestId });
  if (!found) throw new Error("not shown");
  const pageOf = (of: number | null) => {
    const unit = { ...presentCustomerRequest(found), inOrder: { number: 2, of } };
    const page = unitsPage([unit], CONTEXT, { saved: "" });
    return hostedPage(page, { help: NO_SHOP }).text();
  };
  const hers = await pageOf(null);
  expect(hers).toContain("You have more than one test in this order.");
  expect(hers).toContain(
    "These are the details for one test. For each other test, open its own email",
  );
  expect(await pageOf(2)).not.toMatch(/more than one test|each other test/);
});

test("lets a test stand out whose result is to be opened today, and no other", async () => {
  const { shop, ports, requestId } = await startIssued(db);
  const found = await findCustomerRequest(ports, { shop, viewer: OWNER, requestId });
  if (!found) throw new Error("not shown");
  const pageOf = (isForToday: boolean) => {
    const nextStep = "Please open your results today.";
    const unit = { ...presentCustomerRequest(found), state: "results_ready" as const, nextStep };
    const page = unitsPage([{ ...unit, isForToday }], CONTEXT);
    return hostedPage(page, { help: NO_SHOP }).text();
  };
  const today = await pageOf(true);
  expect(today).toContain("<strong>Please open your results today.</strong>");
  expect(today).toContain("pw-badge pw-bad");
  const other = await pageOf(false);
  expect(other).toContain("<p>Please open your results today.</p>");
  expect(other).not.toContain("pw-badge pw-bad");
});

test("lets the step of a part stand out that is for today, and not that of the other part", async () => {
  const { shop, ports, requestId } = await startIssued(db);
  const found = await findCustomerRequest(ports, { shop, viewer: OWNER, requestId });
  if (!found) throw new Error("not shown");
  const steps = { commercial: "Please open your results today.", medicare: "Some are ready." };
  const partOf = (part: keyof typeof steps, isForToday: boolean) => ({
    ...{ part, isForToday, nextStep: steps[part], resultId: `result-${part}` },
    statuses: [],
  });
  const parts = [
    { ...partOf("commercial", true), state: "results_ready" as const },
    { ...partOf("medicare", false), state: "partial_results" as const },
  ];
  const unit = presentCustomerRequest({ ...found, parts, isForToday: true });
  const page = await hostedPage(unitsPage([unit], CONTEXT), { help: NO_SHOP }).text();
  expect(page).toContain(`<strong>${steps.commercial}</strong>`);
  expect(page).toContain(`<p>${steps.medicare}</p>`);
});

test("opens an earlier result that is named while new ones are reviewed", async () => {
  const { shop, ports, requestId } = await startIssued(db);
  const found = await findCustomerRequest(ports, { shop, viewer: OWNER, requestId });
  if (!found) throw new Error("not shown");
  const { access } = found;
  const linksOf = async (resultId: string | undefined, results = access.results) => {
    const own = { state: "in_review" as const, resultId, isForToday: true };
    const unit = { ...presentCustomerRequest(found), ...own, access: { ...access, results } };
    const page = hostedPage(unitsPage([unit], CONTEXT), { help: NO_SHOP });
    return (await page.text()).match(/\/visit\/x\/results\/r0|name="for" value="results"/g);
  };
  expect(await linksOf("r0")).toHaveLength(1);
  expect(await linksOf("r0", "other_purpose")).toEqual(['name="for" value="results"']);
  expect(await linksOf(undefined)).toBeNull();
});

test("asks for nothing else before a test for today", async () => {
  const { shop, ports, requestId } = await startIssued(db);
  const found = await findCustomerRequest(ports, { shop, viewer: OWNER, requestId });
  if (!found) throw new Error("no request");
  const one = { ...presentCustomerRequest(found), inOrder: { number: 1, of: 2 } };
  const nextStep = "Please ring us today.";
  const today = { ...one, state: "in_review" as const, isForToday: true, nextStep };
  const waiting = { ...one, id: "2", state: "awaiting_details" as const };
  const html = await hostedPage(unitsPage([today, waiting], CONTEXT), { help: NO_SHOP }).text();
  const places = [nextStep, "Details needed for 1 of 2 tests", 'id="unit-2"'].map((words) =>
    html.indexOf(words),
  );
  expect(Math.min(...places)).toBeGreaterThan(0);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});

test("lets a reader ring the number in a next step, and the shop's, and leaves an unclear one as text", async () => {
  const { shop, ports, requestId } = await startIssued(db);
  const found = await findCustomerRequest(ports, { shop, viewer: OWNER, requestId });
  if (!found) throw new Error("no request");
  const dialled = async (number: string, phone: string) => {
    const nextStep = `Please ring Nurse Kim today: ${number}.`;
    const unit = { ...found, state: "in_review" as const, isForToday: true, nextStep };
    const page = unitsPage([presentCustomerRequest({ ...unit, phones: [number] })], CONTEXT);
    const html = await hostedPage(page, { help: { ...NO_SHOP, phone } }).text();
    expect(html.replaceAll(/<[^>]+>/g, "")).toContain(wholePhones(nextStep));
    return html.match(/tel:[^"]+/g);
  };
  expect(await dialled("+61 (0)2 5550 9999", "(03) 9000 0000")).toEqual([
    "tel:+61255509999",
    "tel:0390000000",
  ]);
  expect(await dialled("02 5550 9999 ext 4", "1800 HEALTH")).toBeNull();
});

test("says of a refund that is being decided that the shop decides, and of no problem", async () => {
  const { shop, ports, requestId } = await startIssued(db);
  const found = await findCustomerRequest(ports, { shop, viewer: OWNER, requestId });
  if (!found) throw new Error("not shown");
  const pageOf = (needsDecision: boolean) => {
    const state = "needs_support" as const;
    const part = { part: "medicare" as const, nextStep: "Wait.", statuses: [], isForToday: false };
    const parts = [
      { ...part, state },
      { ...part, part: "commercial" as const, state: "results_ready" as const },
    ];
    const unit = { ...presentCustomerRequest({ ...found, parts }), state, needsDecision };
    return hostedPage(unitsPage([unit], CONTEXT), { help: NO_SHOP }).text();
  };
  const deciding = await pageOf(true);
  expect(deciding.match(/>Waiting for the shop</g)).toHaveLength(2);
  expect(deciding).not.toContain("There’s a problem");
  expect(await pageOf(false)).toContain("There’s a problem");
});

test("says no more that a form is being prepared once the test is cancelled, or its results are there", async () => {
  const { shop, ports, requestId } = await startIssued(db);
  const found = await findCustomerRequest(ports, { shop, viewer: OWNER, requestId });
  if (!found) throw new Error("not shown");
  const unit = presentCustomerRequest(found);
  const isTold = async (...states: (typeof unit.state)[]) => {
    const units = states.map((state, index) => ({ ...unit, id: `${index}`, state }));
    const page = unitsPage(units, CONTEXT, { saved: "" });
    return (await hostedPage(page, { help: NO_SHOP }).text()).includes("Details saved");
  };
  expect(await isTold("being_prepared")).toBe(true);
  expect(await isTold("cancelled", "form_ready")).toBe(true);
  expect(await isTold("cancelled")).toBe(false);
  expect(await isTold("results_ready", "cancelled")).toBe(false);
});

test("begins with what was saved, and says that a form is being prepared only while one is", async () => {
  const { shop, ports, requestId } = await startIssued(db);
  const found = await findCustomerRequest(ports, { shop, viewer: OWNER, requestId });
  if (!found) throw new Error("not shown");
  const unit = presentCustomerRequest(found);
  const told = async (...states: (typeof unit.state)[]) => {
    const units = states.map((state, index) => ({ ...unit, id: `${index}`, state }));
    const page = hostedPage(unitsPage(units, CONTEXT, { saved: "" }), { help: NO_SHOP });
    return /<section[^>]*pw-notice.*?<\/section>/s.exec(await page.text())?.[0] ?? "";
  };
  expect(await told("being_prepared", "form_ready")).toContain("now preparing the referral form");
  expect(await told("being_prepared")).toMatch(/<section[^>]*tabindex="-1"[^>]*autofocus=""/);
  // The page is loaded again the next day.
  for (const later of ["form_ready", "needs_support"] as const) {
    expect(await told(later, "awaiting_details")).toContain("Details saved");
    expect(await told(later, "awaiting_details")).not.toContain("preparing");
  }
});

test("calls the form of a test with results one that was used, so that nobody gives a sample again", async () => {
  const { shop, ports, requestId } = await startIssued(db);
  const found = await findCustomerRequest(ports, { shop, viewer: OWNER, requestId });
  if (!found) throw new Error("not shown");
  const unit = presentCustomerRequest(found);
  const linksAt = async (state: typeof unit.state) => {
    const markup = await hostedPage(unitsPage([{ ...unit, state }], CONTEXT), {
      help: NO_SHOP,
    }).text();
    return [
      ...markup.matchAll(/<a class="(pw-button[^"]*)" href="[^"]*documents[^>]*>([^<]*)/g),
    ].map(([, ...rest]) => rest);
  };
  expect(await linksAt("form_ready")).toEqual([["pw-button pw-first", "Open referral form"]]);
  for (const state of ["in_review", "partial_results", "results_ready"] as const)
    expect(await linksAt(state)).toEqual([["pw-button", "Open the form that was used"]]);
});

test("says how many tests of an order still need details, and leads to the first of them", async () => {
  const { shop, ports, requestId } = await startIssued(db);
  const found = await findCustomerRequest(ports, { shop, viewer: OWNER, requestId });
  if (!found) throw new Error("not shown");
  const unit = presentCustomerRequest(found);
  const twelve = Array.from({ length: 12 }, (_, index) => ({
    ...unit,
    id: `u${index}`,
    state: index < 3 ? ("being_prepared" as const) : ("awaiting_details" as const),
  }));
  const shown = (units: typeof twelve) =>
    hostedPage(unitsPage(units, CONTEXT), { help: NO_SHOP }).text();
  const text = await shown(twelve);
  expect(text).toContain("Details needed for 9 of 12 tests");
  expect(text).toMatch(/href="\/visit\/x\/requests\/u3\/details">Add details for the next test</);
  // A link that opens no details leads to none.
  const access = { ...unit.access, details: "other_purpose" as const };
  const closed = await shown(twelve.map((one) => ({ ...one, access })));
  expect(closed).toContain("9 of 12 tests");
  expect(closed).not.toContain("Add details for the next test");
  for (const units of [twelve.slice(0, 3), twelve.slice(3, 4)])
    expect(await shown(units)).not.toContain("Details needed for");
});
