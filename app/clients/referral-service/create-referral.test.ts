import { createServer as createTlsServer } from "node:https";
import { createServer as createTcpServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { START } from "../../../test/database/clock.ts";
import { listening } from "../../../test/samples/listening.ts";
import { ownConnections, sharedConnections } from "./http/transport.ts";
import { SELF_SIGNED } from "./testing/self-signed.ts";
import { answer, type Behaviour, startServer } from "./testing/start-server.ts";
import { startService } from "./testing/start-service.ts";
import { sampleOrder, wireReferral } from "./testing/wire-samples.ts";

const inTime = { deadlineAt: new Date(START.getTime() + 60_000) };

const U2 = "0b9d7a86-5c1e-4c5e-9f0c-1f8f3c1d2a02";

/** Sends one order to a service that behaves like this. */
async function createAt(api: Behaviour, options: Parameters<typeof startService>[1] = {}) {
  const service = await startService(api, options);
  const outcome = await service.client.createReferral(sampleOrder(), inTime);
  return { outcome, sent: service.apiRequests().length, ...service };
}

test("sends the order once, with token, version and the fields of the interface", async () => {
  const { outcome, apiRequests } = await createAt((_, response) =>
    answer(response, 200, wireReferral()),
  );
  expect(outcome).toMatchObject({ kind: "created", referrals: [{ status: "CREATED" }] });
  const [request, ...others] = apiRequests();
  expect(others).toEqual([]);
  expect(request).toMatchObject({ method: "POST", target: "/v1/referrals" });
  expect(request?.headers.authorization).toBe("Bearer access-1");
  expect(request?.headers.accept).toBe("application/vnd.service.v1.1.0+json");
  const body = JSON.parse(request?.body ?? "");
  expect(Object.keys(body).sort()).toEqual(
    [
      ...["address", "dob", "email", "emailReferralToCustomer", "firstName", "gender", "lastName"],
      ...["metadata", "phone", "referenceNumber", "tests"],
    ].sort(),
  );
});

test("takes an array as the answer to a Medicare order", async () => {
  const service = await startService((_, response) =>
    answer(response, 200, [
      wireReferral(),
      wireReferral({ uuid: U2, medicare: true, routingMessage: "Call us" }),
    ]),
  );
  const practitioner = { name: "Dr Who", address: "1 St", providerNumber: "2426621B" };
  const order = sampleOrder({ medicareTests: ["fbc"], practitioner });
  const outcome = await service.client.createReferral(order, inTime);
  expect(outcome).toMatchObject({
    kind: "created",
    referrals: [{ medicare: false }, { uuid: U2, medicare: true, routingMessage: "Call us" }],
  });
  expect(JSON.parse(service.apiRequests()[0]?.body ?? "")).toMatchObject({
    medicareTests: ["fbc"],
    orderingPractitioner: practitioner,
    medicareCardNumber: "2123456701",
  });
});

test.each([400, 403, 404, 422])("%i is a rejection, with the service's words", async (status) => {
  const { outcome, sent } = await createAt((_, response) =>
    answer(response, status, {
      error: true,
      code: "INVALID_PAYLOAD",
      message: "The payload is invalid",
      errorList: ["phone is short", { field: "dob" }],
    }),
  );
  expect(outcome).toEqual({
    kind: "rejected",
    status,
    code: "INVALID_PAYLOAD",
    message: "The payload is invalid",
    errorList: ["phone is short", '{"field":"dob"}'],
  });
  expect(sent).toBe(1);
});

test("a rejection without a body is named by its status", async () => {
  const { outcome } = await createAt((_, response) => response.writeHead(400).end());
  expect(outcome).toMatchObject({ kind: "rejected", code: "HTTP_400", message: "", errorList: [] });
});

test.each<[string, Behaviour]>([
  ["408", (_, response) => answer(response, 408, {})],
  ["409", (_, response) => answer(response, 409, {})],
  ["429", (_, response) => answer(response, 429, { code: "SLOW" }, { "retry-after": "1" })],
  ["500", (_, response) => answer(response, 500, { error: true, code: "INTERNAL" })],
  ["503 as HTML", (_, response) => response.writeHead(503).end("<h1>Sorry</h1>")],
  ["403 of a firewall", (_, response) => response.writeHead(403).end("<h1>Blocked</h1>")],
  ["404 of a gateway", (_, response) => answer(response, 404, { message: "no Route matched" })],
  ["425", (_, response) => response.writeHead(425).end()],
  ["a redirect that keeps the method", (_, response) => redirectToItself(response)],
  ["a reset after the request", (_, response) => response.destroy()],
  ["half an answer", (_, response) => halfAnswer(response)],
  ["200 with something that is not JSON", (_, response) => response.writeHead(200).end("OK")],
  ["200 with JSON of another kind", (_, response) => answer(response, 200, { ok: true })],
  [
    "200 with a uuid that is none",
    (_, response) => answer(response, 200, wireReferral({ uuid: "r8" })),
  ],
  ["200 with an empty array", (_, response) => answer(response, 200, [])],
  [
    "200 with one readable half of two",
    (_, response) => answer(response, 200, [wireReferral(), {}]),
  ],
  ["204", (_, response) => response.writeHead(204).end()],
])("%s leaves it unknown, and is not repeated", async (_, behaviour) => {
  const { outcome, sent } = await createAt(behaviour);
  expect(outcome).toMatchObject({ kind: "unknown", reason: expect.any(String) });
  expect(sent).toBe(1);
});

test.each<[string, Behaviour]>([
  ["no answer", () => {}],
  ["an answer that never ends", (_, response) => void response.writeHead(200).write("{")],
])("%s within the time leaves it unknown", async (_, behaviour) => {
  const { outcome, sent } = await createAt(behaviour, { client: { timeouts: { createMs: 150 } } });
  expect(outcome).toMatchObject({ kind: "unknown", reason: expect.stringContaining("150 ms") });
  expect(sent).toBe(1);
});

test("401 renews the token and tries once more", async () => {
  const { outcome, apiRequests } = await createAt((received, response) =>
    received.headers.authorization === "Bearer access-2"
      ? answer(response, 200, wireReferral())
      : answer(response, 401, { error: true, code: "INVALID_JWT", message: "" }),
  );
  expect(outcome).toMatchObject({ kind: "created" });
  expect(apiRequests().map(({ headers }) => headers.authorization)).toEqual([
    "Bearer access-1",
    "Bearer access-2",
  ]);
});

test("a service that refuses every refreshed token is reached with the credentials", async () => {
  const refreshed = new Set<string>();
  const grants: string[] = [];
  const tokens = await startServer(({ body }, response) => {
    grants.push(new URLSearchParams(body).get("grant_type") ?? "");
    const name = `access-${grants.length}`;
    if (grants.at(-1) === "refresh_token") refreshed.add(`Bearer ${name}`);
    answer(response, 200, { access_token: name, refresh_token: "refresh", expires_in: 3600 });
  });
  const { client, clock } = await startService(
    ({ headers }, response) =>
      refreshed.has(headers.authorization ?? "")
        ? answer(response, 401, { error: true, code: "INVALID_JWT", message: "" })
        : answer(response, 200, wireReferral()),
    { tokens: { authUrl: tokens.url } },
  );
  const create = () =>
    client.createReferral(sampleOrder(), { deadlineAt: new Date(clock.now().getTime() + 60_000) });
  expect(await create()).toMatchObject({ kind: "created" });
  clock.advance(3600_000);
  expect(await create()).toMatchObject({ kind: "created" });
  expect(grants).toEqual(["client_credentials", "refresh_token", "client_credentials"]);
});

test("401 with the renewed token too means not sent, and no third try", async () => {
  const { outcome, sent } = await createAt((_, response) =>
    answer(response, 401, { error: true, code: "INVALID_JWT", message: "" }),
  );
  expect(outcome).toMatchObject({ kind: "not_sent", retryable: false });
  expect(sent).toBe(2);
});

test("an unknown end after 401 is unknown, for the second try did go out", async () => {
  const { outcome, sent } = await createAt((received, response) =>
    received.headers.authorization === "Bearer access-1"
      ? answer(response, 401, {})
      : response.destroy(),
  );
  expect(outcome).toMatchObject({ kind: "unknown" });
  expect(sent).toBe(2);
});

test.each<[string, Behaviour]>([
  ["a page", (_, response) => response.writeHead(200).end("<h1>Back soon</h1>")],
  ["a redirect", (_, response) => response.writeHead(302, { location: "/soon" }).end()],
  ["a gateway’s 404", (_, response) => response.writeHead(404).end("<h1>No route</h1>")],
])("%s in the place of the token service means not sent, and to be sent later", async (_, page) => {
  const { url: authUrl } = await startServer(page);
  const { outcome, sent } = await createAt(() => {}, { tokens: { authUrl } });
  expect(outcome).toMatchObject({ kind: "not_sent", retryable: true });
  expect(sent).toBe(0);
});

test("a refused connection means not sent", async () => {
  const closed = await startServer(() => {});
  await closed.stop();
  const { outcome } = await createAt(() => {}, { client: { baseUrl: closed.url } });
  expect(outcome).toMatchObject({
    kind: "not_sent",
    retryable: true,
    reason: expect.stringContaining("ECONNREFUSED"),
  });
});

test("a name whose every address refuses means not sent", async () => {
  const closed = await startServer(() => {});
  await closed.stop();
  const baseUrl = `http://localhost:${closed.port}`;
  const { outcome } = await createAt(() => {}, { client: { baseUrl } });
  expect(outcome).toMatchObject({ kind: "not_sent", retryable: true });
});

test.each([
  ["when it has been read", (socket: Socket) => socket.destroy()],
  ["by a reset", (socket: Socket) => socket.resetAndDestroy()],
  ["with something that is not HTTP", (socket: Socket) => socket.end("220 mail ready\r\n")],
])("a call that is ended %s may have been heard: unknown", async (_, end) => {
  const server = createTcpServer((socket) => socket.once("data", () => end(socket)));
  const baseUrl = `http://127.0.0.1:${await listening(server)}`;
  const { outcome } = await createAt(() => {}, { client: { baseUrl } });
  expect(outcome).toMatchObject({ kind: "unknown" });
});

test("no connection within the time means not sent", async () => {
  // Takes the connection and never begins the handshake.
  const server = createTcpServer((socket) => socket.resume());
  const baseUrl = `https://127.0.0.1:${await listening(server)}`;
  const client = { baseUrl, timeouts: { createMs: 150 } };
  const { outcome } = await createAt(() => {}, { client });
  expect(outcome).toMatchObject({
    kind: "not_sent",
    retryable: true,
    reason: expect.stringContaining("no connection within 150 ms"),
  });
});

test("a name that does not exist means not sent", async () => {
  const { outcome } = await createAt(() => {}, { client: { baseUrl: "http://service.invalid" } });
  expect(outcome).toMatchObject({ kind: "not_sent", retryable: true });
});

test("a certificate that cannot be trusted means not sent", async () => {
  let requests = 0;
  const server = createTlsServer(SELF_SIGNED, (_, response) => {
    requests += 1;
    response.end();
  });
  const baseUrl = `https://127.0.0.1:${await listening(server)}`;
  const { outcome } = await createAt(() => {}, { client: { baseUrl } });
  expect(outcome).toMatchObject({
    kind: "not_sent",
    reason: expect.stringContaining("SELF_SIGNED"),
  });
  expect(requests).toBe(0);
});

test("a deadline that passed while the token was fetched keeps the call at home", async () => {
  const service = await startService((_, response) => answer(response, 200, wireReferral()), {
    tokens: {
      transport: (call) => {
        service.clock.advance(60_000);
        return sharedConnections()(call);
      },
    },
  });
  const outcome = await service.client.createReferral(sampleOrder(), inTime);
  expect(outcome).toMatchObject({ kind: "not_sent", retryable: true });
  expect(service.apiRequests()).toEqual([]);
});

test("the deadline also holds for the second try after 401", async () => {
  const service = await startService((_, response) => {
    service.clock.advance(60_000);
    answer(response, 401, {});
  });
  const outcome = await service.client.createReferral(sampleOrder(), inTime);
  expect(outcome).toMatchObject({ kind: "not_sent", retryable: true });
  expect(service.apiRequests()).toHaveLength(1);
});

test("a process that stood still while its call was connected keeps the call at home", async () => {
  const service = await startService((_, response) => answer(response, 200, wireReferral()), {
    client: {
      createTransport: (call) => {
        const connected = ownConnections()(call);
        service.clock.advance(60_000);
        return connected;
      },
    },
  });
  const outcome = await service.client.createReferral(sampleOrder(), inTime);
  expect(outcome).toMatchObject({ kind: "not_sent", retryable: true });
  expect(service.apiRequests()).toEqual([]);
});

test("without a token nothing is sent; wrong credentials are not worth another try", async () => {
  const refusing = await startServer((_, response) =>
    answer(response, 200, { error: true, code: "110", type: "InvalidClientId", message: "" }),
  );
  const { outcome, sent } = await createAt(() => {}, { tokens: { authUrl: refusing.url } });
  expect(outcome).toMatchObject({ kind: "not_sent", retryable: false });
  expect(sent).toBe(0);
});

test("a token store that is down means not sent, and worth another try", async () => {
  const store = {
    read: () => Promise.reject(new Error("connection terminated")),
    write: () => Promise.resolve(),
  };
  const { outcome, sent } = await createAt(() => {}, { tokens: { store } });
  expect(outcome).toMatchObject({ kind: "not_sent", retryable: true });
  expect(sent).toBe(0);
});

function redirectToItself(response: Parameters<Behaviour>[1]): void {
  response.writeHead(307, { location: "/v1/referrals" }).end();
}

function halfAnswer(response: Parameters<Behaviour>[1]): void {
  response.writeHead(200, { "content-type": "application/json", "content-length": "5000" });
  response.write(JSON.stringify(wireReferral()).slice(0, 200), () => response.destroy());
}
