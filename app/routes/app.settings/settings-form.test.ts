import { expect, test } from "vitest";
import { readSettingsForm } from "./settings-form.ts";

function read(fields: Record<string, string>) {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return readSettingsForm(data);
}

const connection = {
  intent: "save-connection",
  environment: "staging",
  clientId: "client",
  clientSecret: "secret",
  signingScheme: "hmac-hex",
  signingSecret: "",
};

test("credentials and signing are read; an empty secret keeps the stored one", () => {
  expect(read(connection)).toEqual({
    kind: "valid",
    form: "connection staging",
    value: {
      intent: "save-connection",
      ...{ seen: null, shown: null },
      input: {
        environment: "staging",
        credentials: { clientId: "client", clientSecret: "secret" },
        signing: { scheme: "hmac-hex", header: null, secret: null, endFormer: false },
      },
    },
  });
  const seen = { ...connection, storedClientId: "client", credentialsAt: "2026-11-24T01:02:03Z" };
  expect(read({ ...connection, seen: JSON.stringify(seen) })).toMatchObject({
    value: {
      shown: {
        ...{ clientId: "client", clientSecret: "2026-11-24T01:02:03Z" },
        ...{ signingScheme: "hmac-hex", signingHeader: null, signingSecret: null },
      },
    },
  });
  const kept = read({ ...connection, clientSecret: "", storedClientId: "client" });
  expect(kept).toMatchObject({ kind: "valid", value: { input: { credentials: null } } });
});

test("another client ID needs its own secret, and every fault is told by its field", () => {
  const reading = read({
    ...connection,
    clientSecret: "",
    storedClientId: "another",
    signingHeader: "X Signature",
  });
  expect(reading).toMatchObject({ kind: "invalid", form: "connection staging" });
  const fields = reading.kind === "invalid" ? Object.keys(reading.errors).toSorted() : [];
  expect(fields).toEqual(["clientSecret", "signingHeader"]);
});

test("the connection is tested or ended for a known environment only", () => {
  expect(read({ intent: "test-connection", environment: "staging" }).kind).toBe("valid");
  expect(read({ intent: "disconnect", environment: "moon" }).kind).toBe("invalid");
  expect(read({ intent: "something", environment: "staging" }).kind).toBe("unknown");
  expect(read({}).kind).toBe("unknown");
  expect(read({ intent: "constructor" }).kind).toBe("unknown");
});

const policies = {
  intent: "save-policies",
  environment: "staging",
  minimumAge: "18",
  releasePolicy: "hold_all",
};

test("boxes that are not ticked are off", () => {
  expect(read({ ...policies, holdOrders: "true" })).toMatchObject({
    kind: "valid",
    value: {
      policies: { holdOrders: true, strictMode: false, minimumAge: 18, emailByService: false },
    },
  });
});

test("a page's form changes its own settings and no others", () => {
  expect(read({ intent: "choose-environment", environment: "production" })).toMatchObject({
    form: "policies",
    value: { policies: { environment: "production" } },
  });
  const store = read({
    intent: "save-store",
    helpEmail: "",
    helpPhone: "",
    helpHours: "",
    tagOrders: "true",
  });
  expect(store.kind === "valid" && "policies" in store.value && store.value.policies).toEqual({
    help: { email: null, phone: null, hours: null },
    markFulfilled: false,
    tagOrders: true,
    startFlows: false,
  });
  expect(
    read({ intent: "save-results", releasePolicy: "hold_all", reviewerName: "Robin" }),
  ).toMatchObject({
    kind: "invalid",
    errors: { reviewerPhone: expect.any(String), reviewerEmail: expect.any(String) },
  });
});

test.each<{ what: string; fields: Record<string, string>; cancelWaiting: number | null }>([
  { what: "nothing", fields: {}, cancelWaiting: null },
  { what: "leave", fields: { waitingRefunds: "leave", waitingCount: "3" }, cancelWaiting: null },
  { what: "cancel", fields: { waitingRefunds: "cancel", waitingCount: "3" }, cancelWaiting: 3 },
])(
  "refunds that wait are cancelled only when that was chosen: $what",
  ({ fields, cancelWaiting }) => {
    expect(read({ ...policies, ...fields })).toMatchObject({
      kind: "valid",
      value: { cancelWaiting },
    });
  },
);

test.each(["", "abc", "-1", "17.5", "121"])("%j is no minimum age", (minimumAge) => {
  expect(read({ ...policies, minimumAge })).toMatchObject({
    kind: "invalid",
    errors: { minimumAge: expect.any(String) },
  });
});

test("reminder days are read as a list, with one sentence for a day that is none", () => {
  const read = (reminderDays: string, detailsEndDays = "21") => {
    const form = new FormData();
    form.set("intent", "save-reminders");
    form.set("reminderDays", reminderDays);
    form.set("detailsEndDays", detailsEndDays);
    return readSettingsForm(form);
  };
  expect(read(" 2, 5,10 ")).toMatchObject({
    kind: "valid",
    value: { reminders: { reminderDays: [2, 5, 10], detailsEndDays: 21 } },
  });
  expect(read("")).toMatchObject({ kind: "valid", value: { reminders: { reminderDays: [] } } });
  expect(read("2, soon")).toMatchObject({
    kind: "invalid",
    errors: { reminderDays: "Enter a whole number of days." },
  });
  expect(read("2", "0")).toMatchObject({ kind: "invalid" });
});

test("what the page showed when it was opened is read like the form itself, and nothing else is", () => {
  const seen = JSON.stringify({ ...policies, minimumAge: "16" });
  expect(read({ ...policies, seen })).toMatchObject({
    kind: "valid",
    value: { policies: { minimumAge: 18 }, seen: { policies: { minimumAge: 16 } } },
  });
  for (const other of ["", "{", "[]", "null", JSON.stringify({ ...policies, minimumAge: "x" })])
    expect(read({ ...policies, seen: other })).toMatchObject({
      kind: "valid",
      value: { seen: null },
    });
});

test("the notice is read; what is left empty is not answered", () => {
  expect(read({ intent: "save-notice" })).toEqual({
    kind: "valid",
    form: "notice",
    value: {
      intent: "save-notice",
      seen: null,
      notice: {
        recipient: null,
        sendsOverseas: null,
        countries: null,
        policyUrl: null,
        complaints: null,
      },
    },
  });
  const sent = { intent: "save-notice", overseas: "no", countries: "New Zealand" };
  expect(read(sent)).toMatchObject({
    value: { notice: { sendsOverseas: false, countries: null } },
  });
});

test("a collection centre finder is a name and a page by https, or nothing", () => {
  const finder = (finderName: string, finderUrl: string) =>
    read({ intent: "save-store", finderName, finderUrl });
  expect(finder(" Example Pathology ", "https://example.com/centres?state=VIC")).toMatchObject({
    value: {
      policies: {
        collectionFinder: {
          name: "Example Pathology",
          url: "https://example.com/centres?state=VIC",
        },
      },
    },
  });
  expect(finder("", "")).toMatchObject({ value: { policies: { collectionFinder: null } } });
  expect(finder("Example Pathology", "")).toMatchObject({
    errors: { finderUrl: "Enter the web address of the finder." },
  });
  expect(finder("", "https://example.com")).toMatchObject({
    errors: { finderName: "Enter the name that patients read." },
  });
});

test.each([
  "http://example.com",
  "javascript:alert(1)",
  "data:text/html,x",
  "example.com",
  "https://",
  "https://localhost/centres",
  "https://name:secret@example.com",
])("%j is no address of a collection centre finder", (finderUrl) => {
  expect(read({ intent: "save-store", finderName: "Example Pathology", finderUrl })).toMatchObject({
    kind: "invalid",
    errors: { finderUrl: "Enter a web address such as https://example.com/collection-centres." },
  });
});

test("the notice names the countries, and links to a page by https", () => {
  const faulty = { intent: "save-notice", overseas: "yes", policyUrl: "http://example.com" };
  const reading = read(faulty);
  const fields = reading.kind === "invalid" ? Object.keys(reading.errors).toSorted() : [];
  expect(fields).toEqual(["countries", "policyUrl"]);
});

test("a recipient of alerts is read with their ticks; the contact address has none of its own", () => {
  const intent = "save-alerts";
  expect(read({ intent, id: "new", email: " pat@example.com ", outage: "true" })).toEqual({
    kind: "valid",
    form: "alerts new",
    value: {
      ...{ intent, id: null, seen: null },
      choice: { email: "pat@example.com", kinds: ["outage"] },
    },
  });
  const contact = { intent, id: "contact", email: "else@example.com" };
  expect(read({ ...contact, seen: JSON.stringify({ ...contact, outage: "true" }) })).toMatchObject({
    kind: "valid",
    form: "alerts contact",
    value: {
      choice: { email: null, kinds: [] },
      seen: { choice: { email: null, kinds: ["outage"] } },
    },
  });
  for (const email of ["", "pat", "pat@example.com, sam@example.com"])
    expect(read({ intent, id: "new", email })).toMatchObject({
      kind: "invalid",
      errors: { email: "Enter an email address." },
    });
  expect(read({ intent, id: "new" })).toMatchObject({ kind: "invalid" });
  expect(read({ intent: "remove-alerts", id: "contact" })).toMatchObject({ kind: "invalid" });
});
