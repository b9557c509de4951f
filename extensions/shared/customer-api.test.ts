import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { type AppServer, startAppServer } from "../testing/app-server.ts";
import { sampleRequest } from "../testing/sample-request.ts";
import { createCustomerApi } from "./customer-api.ts";
import { detailsOf, startingValues } from "./patient-fields.ts";
import { text } from "./read-json.ts";

let server: AppServer;
beforeAll(async () => {
  server = await startAppServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.received.length = 0;
});
const client = (token = async () => "token-1") => createCustomerApi(token, server.origin);

const answered = {
  id: "req/1",
  orderId: "gid://shopify/Order/1",
  orderName: "#1",
  title: "Iron studies",
  state: "being_prepared",
  nextStep: "Wait for the form",
  documents: [{ id: "d1", kind: "referral", version: 2, partial: false }],
};

test("the tests of every page are fetched, newest first", async () => {
  const page = (id: string) => [{ ...answered, id }];
  server.answer("GET /api/customer/requests?paged", 200, page("a"), "?paged&after=a");
  server.answer("GET /api/customer/requests?paged&after=a", 200, page("b"));
  const outcome = await client().listRequests();
  expect(outcome.ok && outcome.value.map(({ id }) => id)).toEqual(["a", "b"]);
  server.answer("GET /api/customer/requests?paged&after=a", 503, {});
  expect(await client().listRequests()).toMatchObject({ ok: false });
});

test("requests are fetched with the customer's token", async () => {
  server.answer("GET /api/customer/requests?paged", 200, [
    answered,
    { ...answered, state: "teleported" },
  ]);
  const outcome = await client().listRequests();
  expect(outcome.ok && outcome.value.map(({ state }) => state)).toEqual([
    "being_prepared",
    "unknown",
  ]);
  expect(server.received).toEqual([
    {
      method: "GET",
      path: "/api/customer/requests?paged",
      authorization: "Bearer token-1",
      body: undefined,
    },
  ]);
});

test("a phone whose browser cannot time a call out is answered as well", async () => {
  const { timeout } = AbortSignal;
  Reflect.deleteProperty(AbortSignal, "timeout");
  onTestFinished(() => void Object.assign(AbortSignal, { timeout }));
  server.answer("GET /api/customer/requests?paged", 200, [answered]);
  expect(await client().listRequests()).toMatchObject({ ok: true });
});

test.each([
  ["a token", async () => new Promise<string>(() => {})],
  ["an answer", async () => "token-1"],
])("%s that never comes is told as a failure of the line", async (_, token) => {
  server.answer("GET /api/customer/requests?paged", 200, new Promise(() => {}));
  onTestFinished(() => server.answer("GET /api/customer/requests?paged", 200, []));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const outcome = client(token).listRequests();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await outcome).toEqual({ ok: false, failure: { kind: "offline" } });
});

test("every call asks for a token of its own", async () => {
  let count = 0;
  const api = client(async () => `token-${++count}`);
  await api.listRequests();
  await api.listRequests();
  expect(server.received.map(({ authorization }) => authorization)).toEqual([
    "Bearer token-1",
    "Bearer token-2",
  ]);
});

test("details are put to the request, whose id may hold any character", async () => {
  server.answer("PUT /api/customer/requests/req%2F1/patient", 200, answered);
  const outcome = await client().savePatient("req/1", detailsOf(startingValues(null), false));
  expect(outcome).toMatchObject({ ok: true, value: { id: "req/1" } });
  expect(server.received[0]?.body).toMatchObject({
    consent: false,
    address: { country: "Australia" },
  });
});

test("a 422 comes back as the refused fields", async () => {
  const errors = [{ field: "address.postCode", message: "Postcode 3053 is in VIC" }];
  server.answer("PUT /api/customer/requests/r/patient", 422, { errors });
  expect(await client().savePatient("r", detailsOf(startingValues(null), false))).toEqual({
    ok: false,
    failure: { kind: "invalid", errors, notice: null },
  });
});

test("hand-over succeeds whatever the app answers with", async () => {
  server.answer(
    "POST /api/customer/requests/r/handover",
    200,
    sampleRequest({ state: "handed_over" }),
  );
  expect(await client().handOver("r", "pat@example.com")).toMatchObject({
    ok: true,
    value: { state: "handed_over" },
  });
  expect(server.received[0]?.body).toEqual({ email: "pat@example.com" });
});

test("a document is opened by the address that the app gives", async () => {
  server.answer("POST /api/customer/documents/d1/open", 200, {
    url: "https://pathway.example/documents/t",
  });
  expect(await client().openDocument("d1")).toEqual({
    ok: true,
    value: "https://pathway.example/documents/t",
  });
});

test.each([
  [401, "signed_out"],
  [403, "signed_out"],
  [404, "not_found"],
  [410, "not_found"],
  [409, "too_late"],
  [429, "too_often"],
  [500, "unavailable"],
  [503, "unavailable"],
])("status %i is told as %s", async (status, kind) => {
  server.answer("GET /api/customer/results/x", status, { error: "no" });
  expect(await client().readResult("x", text)).toEqual({ ok: false, failure: { kind } });
});

test("an answer of too many requests is told as a wait of a minute", async () => {
  server.answer("GET /api/customer/results/x", 429, { error: "too_many_requests" });
  expect(await client().readResult("x", text)).toEqual({ ok: false, failure: { kind: "busy" } });
});

test.each([
  [200, "<html>"],
  [200, { unexpected: true }],
  [422, { errors: "none" }],
])(
  "an answer that cannot be read (%i %j) is our trouble, not the shopper's",
  async (status, body) => {
    server.answer("GET /api/customer/requests?paged", status, body);
    expect(await client().listRequests()).toEqual({ ok: false, failure: { kind: "unavailable" } });
  },
);

test("no server is told as offline; no token as signed out", async () => {
  const gone = await startAppServer();
  await gone.close();
  const api = createCustomerApi(async () => "t", gone.origin);
  expect(await api.listRequests()).toEqual({ ok: false, failure: { kind: "offline" } });
  expect(await client(async () => "").listRequests()).toEqual({
    ok: false,
    failure: { kind: "signed_out" },
  });
  expect(server.received).toEqual([]);
});
