/** Long because a card is drawn in every state that a test can have. */
import { useState } from "preact/hooks";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type AppServer, startAppServer } from "../testing/app-server.ts";
import { hostOfLocale, type TestHost } from "../testing/host-of-locale.ts";
import { act, all, attribute, one, renderInto, until } from "../testing/render.tsx";
import { sampleRequest } from "../testing/sample-request.ts";
import { RequestCard } from "./request-card.tsx";
import type { TestRequest } from "./requests.ts";

const PUT = "PUT /api/customer/requests/req-1/patient";
let server: AppServer;
let host: TestHost;
let changes: (TestRequest | undefined)[];
beforeAll(async () => {
  server = await startAppServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.received.length = 0;
  host = hostOfLocale("order-tests");
  changes = [];
});

/** A page that, like the real ones, shows at once what the app said of the saved request. */
function Page({ start, siblings = [] }: { start: TestRequest; siblings?: TestRequest[] }) {
  const [request, setRequest] = useState(start);
  return (
    <RequestCard
      request={request}
      buyer={{
        firstName: "Ann",
        lastName: "Ng",
        email: "ann@example.com",
        phone: "0412345678",
        address: null,
      }}
      siblings={siblings}
      onChanged={(saved) => {
        changes.push(saved);
        if (saved) setRequest(saved);
      }}
      toResult={(id) => ({ href: `extension:my-tests/results/${id}` })}
    />
  );
}

const show = (over: Partial<TestRequest> = {}) =>
  renderInto(host, server.origin, <Page start={sampleRequest(over)} />);

const press = (root: Element, label: string) => act(one(root, "s-button", label), "click");
const FIELD_TAGS = ["text", "email", "phone", "number"].map((kind) => `s-${kind}-field`);
const field = (root: Element, name: string) =>
  until(() => {
    const found = [...FIELD_TAGS, "s-select", "s-checkbox"].flatMap((tag) => all(root, tag));
    const match = found.find((element) => attribute(element, "name") === name);
    if (!match) throw new Error(`no field ${name}`);
    return match;
  });

async function fillIn(root: Element) {
  const answers = {
    dob2: "29",
    dob1: "2",
    dob0: "1980",
    gender: "female",
    "address.addressLine1": "1 High St",
    "address.city": "Carlton",
    "address.state": "NSW",
    "address.postCode": "3053",
  };
  for (const [name, value] of Object.entries(answers))
    act(await field(root, name), "change", { value });
  act(await field(root, "consent"), "change", { checked: true });
}

test("shows how to prepare and what to bring beside the form, and before it that there is something", () => {
  const root = show({
    state: "form_ready",
    needsMedicare: true,
    preparation: {
      when: "now",
      steps: "Fast for 8 hours.\nWater is fine.",
      finder: { name: "Example Pathology", url: "https://example.com/centres" },
    },
  });
  expect(root.textContent).toContain("Water is fine.");
  expect(all(root, "s-list-item").map(({ textContent }) => textContent)).toEqual([
    "The referral form, on your phone or printed",
    "Photo ID",
    "Medicare card",
  ]);
  const finder = one(root, "s-link", "Find a collection centre: Example Pathology");
  expect(attribute(finder, "href")).toBe("https://example.com/centres");
  const before = show({ preparation: { when: "later", steps: null, finder: null } });
  expect(before.textContent).toContain("There is something to prepare");
  expect(all(before, "s-list-item")).toEqual([]);
});

test("the patient's details are prefilled, saved and answered with what happens next", async () => {
  server.answer(PUT, 200, { ...sampleRequest({ state: "being_prepared" }) });
  const root = show();
  press(root, "It’s for me");
  expect(attribute(await field(root, "firstName"), "value")).toBe("Ann");
  await fillIn(root);
  act(one(root, "s-form"), "submit");
  await until(() => one(root, "s-banner", "Details saved"));
  expect(one(root, "s-badge").textContent).toBe("Being prepared");
  expect(server.received[0]?.body).toMatchObject({
    firstName: "Ann",
    dob: "1980-02-29",
    gender: "female",
    address: { state: "NSW", postCode: "3053" },
    consent: true,
  });
  expect(changes.map((saved) => saved?.state)).toEqual(["being_prepared"]);
});

test("offers the people of the order's other tests, each once, and fills in the form of whoever is chosen, without consent", async () => {
  const sibling = (id: string, patientName: string | null, state: TestRequest["state"]) =>
    sampleRequest({ id, patientName, state });
  const siblings = [
    sampleRequest(),
    sibling("req-2", "Ngaire W.", "form_ready"),
    sibling("req-3", "Ngaire W.", "being_prepared"),
    sibling("req-4", "Ben C.", "cancelled"),
    sibling("req-5", null, "handed_over"),
  ];
  const root = renderInto(
    host,
    server.origin,
    <Page start={sampleRequest()} siblings={siblings} />,
  );
  expect(all(root, "s-button").map(({ textContent }) => textContent)).toEqual([
    "It’s for me",
    "For Ngaire W.",
    "It’s for someone else",
  ]);
  const button = one(root, "s-button", "For Ngaire W.");
  expect(attribute(button, "accessibilityLabel")).toBe("For Ngaire W.: Iron studies, order #1001");
  const GET = "GET /api/customer/requests/req-3/patient";
  server.answer(GET, 404, {});
  press(root, "For Ngaire W.");
  await until(() => one(root, "s-banner", "Not available"));
  const address = { addressLine1: "1 High St", city: "Carlton", state: "VIC", postCode: "3053" };
  const given = { firstName: "Ngaire", lastName: "Walsh", dob: "1980-02-29", gender: "female" };
  server.answer(GET, 200, { ...given, address });
  press(root, "For Ngaire W.");
  for (const [name, value] of [
    ["firstName", "Ngaire"],
    ["dob2", "29"],
    ["dob0", "1980"],
    ["gender", "female"],
    ["address.postCode", "3053"],
  ] as const)
    expect(attribute(await field(root, name), "value"), name).toBe(value);
  const errors = [{ field: "consent", message: "Tick the box to continue." }];
  server.answer(PUT, 422, { errors });
  act(one(root, "s-form"), "submit");
  await until(() => one(root, "s-list-item", "Consent: Tick the box to continue."));
  expect(server.received.at(-1)?.body).toMatchObject({ dob: "1980-02-29", consent: false });
  press(root, "Back");
  await until(() => one(root, "s-button", "It’s for me"));
});

test("shows the collection notice that the app tells, and its sentence of consent", async () => {
  const notice = {
    id: null,
    inSight: null,
    paragraphs: ["Staff of Shop can open the results.", "12 months"],
    consent: "Yes",
  };
  const root = show({ notice });
  press(root, "It’s for me");
  await field(root, "firstName");
  expect(root.textContent).toContain("Staff of Shop can open the results.12 months");
  expect(attribute(one(root, "s-checkbox", "consent"), "label")).toBe("Yes");
  expect(all(root, "s-details")).toEqual([]);
});

test("keeps in sight what matters most of the notice, and the rest one press away", async () => {
  const notice = { id: null, paragraphs: ["Who sees", "How long"], inSight: 1, consent: "Yes" };
  const root = show({ notice });
  press(root, "It’s for me");
  await field(root, "firstName");
  expect(all(root, "s-details").map(({ textContent }) => textContent)).toEqual([
    "The rest of this notice: other countries, staff, how long, access, complaintsHow long",
  ]);
  expect(root.textContent).toContain("Who sees");
});

test("shows the notice that changed meanwhile, and has its box ticked anew", async () => {
  const errors = [{ field: "consent", message: "The notice has changed." }];
  const changed = { id: "new", paragraphs: ["12 months"], inSight: null, consent: "Yes, anew" };
  server.answer(PUT, 422, { errors, notice: changed });
  const notice = { id: "old", paragraphs: ["6 months"], inSight: null, consent: "Yes" };
  const root = show({ notice });
  press(root, "It’s for me");
  await fillIn(root);
  act(one(root, "s-form"), "submit");
  await until(() => expect(root.textContent).toContain("12 months"));
  expect(server.received.at(-1)?.body).toMatchObject({ notice: "old", consent: true });
  const box = one(root, "s-checkbox", "consent");
  expect(attribute(box, "label")).toBe("Yes, anew");
  act(one(root, "s-form"), "submit");
  await until(() =>
    expect(server.received.at(-1)?.body).toMatchObject({ notice: "new", consent: false }),
  );
});

test("the form says which of several tests its details are for", async () => {
  const root = show({ inOrder: { number: 2, of: 2 } });
  press(root, "It’s for me");
  await field(root, "firstName");
  const heading = "Patient details for Iron studies, Test 2 of 2, order #1001";
  expect(all(root, "s-heading").map(({ textContent }) => textContent)).toContain(heading);
});

test("marks missing and wrong answers in one round, as the app names them", async () => {
  server.answer(PUT, 422, {
    errors: [
      { field: "lastName", message: "Enter the last name." },
      { field: "consent", message: "Tick the box to continue." },
    ],
  });
  const root = show();
  press(root, "It’s for me");
  act(await field(root, "lastName"), "input", { value: " " });
  act(one(root, "s-form"), "submit");
  await until(() =>
    expect(attribute(one(root, "s-text-field", "lastName"), "error")).toBe("Enter the last name."),
  );
  expect(attribute(one(root, "s-checkbox", "consent"), "error")).toBe("Tick the box to continue.");
});

test("the app's refusal stands at its field and what was typed stays", async () => {
  server.answer(PUT, 422, {
    errors: [
      { field: "address.postCode", message: "Postcode 3053 is in VIC" },
      { field: "address.country", message: "Only Australian addresses" },
    ],
  });
  const root = show();
  press(root, "It’s for me");
  await fillIn(root);
  act(one(root, "s-form"), "submit");
  await until(() =>
    expect(attribute(one(root, "s-text-field", "address.postCode"), "error")).toBe(
      "Postcode 3053 is in VIC",
    ),
  );
  expect(attribute(one(root, "s-text-field", "address.postCode"), "value")).toBe("3053");
  expect(root.textContent).toContain("Only Australian addresses");
  expect(changes).toEqual([]);
});

test("one name and a card's reference number are sent as such", async () => {
  server.answer(PUT, 200, sampleRequest({ state: "being_prepared" }));
  const root = show({ needsMedicare: true });
  press(root, "It’s for me");
  act(await field(root, "firstName"), "change", { value: "" });
  act(await field(root, "lastName"), "change", { value: "Suharto" });
  expect(attribute(await field(root, "firstName"), "required")).toBe("true");
  act(await field(root, "hasOneName"), "change", { checked: true });
  await until(async () =>
    expect(attribute(await field(root, "firstName"), "required")).not.toBe("true"),
  );
  act(await field(root, "medicareCardNumber"), "change", { value: "2123 45670 1" });
  act(await field(root, "medicareIrn"), "change", { value: "2" });
  expect(root.textContent).toContain("digit to the left of the patient’s name");
  await fillIn(root);
  act(one(root, "s-form"), "submit");
  await until(() => one(root, "s-banner", "Details saved"));
  expect(server.received[0]?.body).toMatchObject({
    firstName: "",
    lastName: "Suharto",
    hasOneName: true,
    medicareCardNumber: "2123 45670 1",
    medicareIrn: "2",
  });
});

test("two quick presses save once", async () => {
  server.answer(PUT, 200, sampleRequest());
  const root = show();
  press(root, "It’s for me");
  await fillIn(root);
  act(one(root, "s-form"), "submit");
  act(one(root, "s-form"), "submit");
  await until(() => expect(changes).toHaveLength(1));
  await until(() => one(root, "s-banner", "Details saved"));
  expect(server.received).toHaveLength(1);
});

test("somebody else is not prefilled with the buyer, and Medicare is asked for when needed", async () => {
  const root = show({ needsMedicare: true });
  press(root, "It’s for someone else");
  await until(() => press(root, "I’ll enter their details (I will see their results)"));
  expect(attribute(await field(root, "firstName"), "value")).toBe("");
  await field(root, "medicareCardNumber");
});

test("a unit is handed over to its patient by email", async () => {
  server.answer("POST /api/customer/requests/req-1/handover", 200, {
    ...sampleRequest({ state: "handed_over", canHandOver: true }),
    handOver: { state: "sent", canTakeBack: true },
  });
  server.answer("DELETE /api/customer/requests/req-1/handover", 200, sampleRequest());
  const root = show();
  press(root, "It’s for someone else");
  act(await field(root, "email"), "change", { value: "pat@example.com" });
  act(one(root, "s-form"), "submit");
  await until(() => one(root, "s-banner", "Link sent to pat@example.com"));
  expect(server.received[0]?.body).toEqual({ email: "pat@example.com" });
  // Nothing of the details is left to the buyer but a way to take the unit back.
  expect(one(root, "s-badge").textContent).toBe("Sent to the patient");
  press(root, "Cancel the invitation");
  await until(() => one(root, "s-button", "It’s for me"));
});

test("details that were given are fetched, corrected and saved again", async () => {
  const address = { addressLine1: "1 High St", city: "Carlton", state: "VIC", postCode: "3053" };
  server.answer("GET /api/customer/requests/req-1/patient", 200, {
    firstName: "Ann",
    lastName: "Ngg",
    email: "ann@example.com",
    phone: "0412345678",
    dob: "1980-02-29",
    gender: "female",
    address,
  });
  server.answer(PUT, 200, sampleRequest({ state: "being_prepared" }));
  const root = show({ state: "form_ready", canCorrect: true });
  press(root, "Edit details");
  const birth = await Promise.all([2, 1, 0].map((at) => field(root, `dob${at}`)));
  expect(birth.map((one) => attribute(one, "value"))).toEqual(["29", "02", "1980"]);
  act(await field(root, "lastName"), "change", { value: "Ng" });
  act(await field(root, "consent"), "change", { checked: true });
  act(one(root, "s-form"), "submit");
  await until(() => one(root, "s-banner", "Details corrected"));
  expect(server.received.at(-1)?.body).toMatchObject({
    lastName: "Ng",
    dob: "1980-02-29",
    address,
  });
});

test("a sign-in that ends while details are typed loses none of them", async () => {
  server.answer(PUT, 401, { error: "signed_out" });
  const root = show();
  press(root, "It’s for me");
  await fillIn(root);
  act(one(root, "s-form"), "submit");
  await until(() => one(root, "s-banner", "Please sign in again"));
  // To reload the page first would throw away all that was typed.
  expect(one(root, "s-banner").textContent).toMatch(
    /Sign in to the shop in another tab, then try again here.*If that doesn’t help, reload/,
  );
  server.answer(PUT, 200, { ...sampleRequest({ state: "being_prepared" }) });
  press(root, "Try again");
  await until(() => one(root, "s-banner", "Details saved"));
  expect(server.received.at(-1)?.body).toMatchObject({ dob: "1980-02-29", consent: true });
});

test("details that are saved as they were promise no new form, and can be edited at once", async () => {
  server.answer("GET /api/customer/requests/req-1/patient", 200, { firstName: "Ann" });
  server.answer(PUT, 200, sampleRequest({ state: "form_ready", canCorrect: true }));
  const root = show({ state: "form_ready", canCorrect: true });
  press(root, "Edit details");
  await field(root, "lastName");
  act(one(root, "s-form"), "submit");
  await until(() => one(root, "s-banner", "We have these details already"));
  expect(root.textContent).not.toMatch(/preparing/);
  press(root, "Edit details");
  await field(root, "lastName");
});

test("a document opens at the address that the app gives; a refusal is told", async () => {
  server.answer("POST /api/customer/documents/d1/open", 200, {
    url: "https://pathway.example/documents/t",
  });
  const documents = [
    { id: "d1", kind: "referral", version: 2, partial: false, part: null, resultId: null },
    { id: "d2", kind: "result", version: 1, partial: true, part: null, resultId: "res-1" },
  ] as const;
  const root = show({ state: "partial_results", documents: [...documents], resultId: "res-1" });
  press(root, "Open the form that was used (version 2)");
  await until(() => expect(host.visited).toEqual(["https://pathway.example/documents/t"]));
  // Where the target does not go there, the buyer can.
  const link = one(root, "s-link", "Open it in a new tab");
  expect(attribute(link, "href")).toBe("https://pathway.example/documents/t");
  await until(() => press(root, "Open partial result report"));
  await until(() => one(root, "s-banner", "Not available"));
  expect(attribute(one(root, "s-button", "See results"), "href")).toBe(
    "extension:my-tests/results/res-1",
  );
});

test("an earlier result that the app names opens while new ones are reviewed", () => {
  const buttonsOf = (resultId: string | null) =>
    all(show({ state: "in_review", resultId, isForToday: true }), "s-button");
  expect(buttonsOf("res-0").map((button) => attribute(button, "href"))).toEqual([
    "extension:my-tests/results/res-0",
  ]);
  expect(buttonsOf(null)).toEqual([]);
});

test("a unit with two referrals shows each one's state, form, result and report", async () => {
  server.answer("POST /api/customer/documents/d2/open", 200, {
    url: "https://pathway.example/documents/medicare",
  });
  const document = { version: 1, partial: false };
  const root = show({
    state: "partial_results",
    nextStep: "Some results are here.",
    resultId: "res-1",
    documents: [
      { ...document, id: "d1", kind: "referral", part: "commercial", resultId: null },
      { ...document, id: "d2", kind: "referral", part: "medicare", resultId: null },
      { ...document, id: "d3", kind: "result", part: "commercial", resultId: "res-1" },
    ],
    parts: [
      { part: "commercial", state: "results_ready", nextStep: "Open them.", resultId: "res-1" },
      { part: "medicare", state: "in_review", nextStep: null, resultId: null },
    ],
  });
  expect(all(root, "s-badge").map(({ textContent }) => textContent)).toEqual([
    "Some results ready",
    "Results ready",
    "In review",
  ]);
  // Each part says where it stands, so the whole does not say it again.
  expect(root.textContent).not.toContain("Some results are here.");
  expect(root.textContent).toContain("Open them.");
  expect(root.textContent).toContain("The results are being reviewed");
  expect(all(root, "s-button").map((button) => attribute(button, "accessibilityLabel"))).toEqual([
    "See results: Iron studies, order #1001, Private tests",
    "Open the form that was used: Iron studies, order #1001, Private tests",
    "Open result report: Iron studies, order #1001, Private tests",
    "Open the form that was used: Iron studies, order #1001, Medicare tests",
  ]);
  act(all(root, "s-button").at(-1) ?? root, "click");
  await until(() => expect(host.visited).toEqual(["https://pathway.example/documents/medicare"]));
});

test("two parts at the same place say so once", () => {
  const document = { version: 1, partial: false, kind: "referral", resultId: null } as const;
  const root = show({
    state: "form_ready",
    nextStep: "Open both forms.",
    documents: [
      { ...document, id: "d1", part: "commercial" },
      { ...document, id: "d2", part: "medicare" },
    ],
    parts: [
      { part: "commercial", state: "form_ready", nextStep: "Open the form.", resultId: null },
      { part: "medicare", state: "form_ready", nextStep: "Open the form.", resultId: null },
    ],
  });
  expect(root.textContent).toContain("Open both forms.");
  expect(root.textContent).not.toContain("Open the form.");
  expect(all(root, "s-badge")).toHaveLength(1);
  expect(all(root, "s-button")).toHaveLength(2);
});

test.each([
  [true, "critical"],
  [false, "neutral"],
  // An app of an earlier version does not say it.
  [null, "neutral"],
])("a test whose result is to be opened today (%s) has a badge that is %s", (isForToday, tone) => {
  const root = show({ state: "results_ready", isForToday });
  expect(attribute(one(root, "s-badge"), "tone")).toBe(tone);
});

test.each([
  [true, "Waiting for the shop"],
  [false, "There’s a problem"],
  // An app of an earlier version does not say it.
  [null, "There’s a problem"],
])("a test about which the shop decides (%s) reads “%s”", (needsDecision, name) => {
  const root = show({ state: "needs_support", needsDecision });
  expect(one(root, "s-badge").textContent).toBe(name);
});

test.each([
  [true, "Waiting for the shop"],
  [false, "There’s a problem"],
])("so does the part of it that waits (%s), beside one with results", (needsDecision, name) => {
  const part = { part: "commercial" as const, state: "needs_support" as const, nextStep: "Wait." };
  const other = { part: "medicare" as const, state: "results_ready" as const, nextStep: "Open." };
  const parts = [part, other].map((one) => ({ ...one, resultId: null }));
  const root = show({ state: "needs_support", needsDecision, parts });
  const badges = all(root, "s-badge").map(({ textContent }) => textContent);
  expect(badges).toEqual([name, name, "Results ready"]);
});

test("the form is the first thing to press while it is time to use it, and not once there are results", () => {
  const form = { id: "d1", version: 1, partial: false, kind: "referral", resultId: null } as const;
  const variants = (change: Parameters<typeof show>[0]) =>
    all(show({ documents: [{ ...form, part: null }], ...change }), "s-button").map((button) =>
      attribute(button, "variant"),
    );
  expect(variants({ state: "form_ready" })).toEqual(["primary"]);
  expect(variants({ state: "partial_results", resultId: "r" })).toEqual(["primary", "secondary"]);
  expect(variants({ state: "in_review" })).toEqual(["secondary"]);
});

test("a result in review cannot be asked for", () => {
  const root = show({ state: "in_review" });
  expect(root.textContent).toContain("We will email you when you can see them");
  expect(all(root, "s-button")).toEqual([]);
});
