import { once } from "node:events";
import { createServer as createHttpServer, type IncomingHttpHeaders } from "node:http";
import { createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { listening } from "../../../../test/samples/listening.ts";
import { NotSentError } from "../not-sent-error.ts";
import { exchange } from "./exchange.ts";
import { ownConnections, sharedConnections, type Transport } from "./transport.ts";

const KINDS: [string, () => Transport][] = [
  ["of its own", ownConnections],
  ["shared", sharedConnections],
];

/**
 * A service behind a proxy that keeps connections open and silently forgets them: the second request on a
 * connection is read and reset, as when the proxy closed it while the request was on its way.
 */
async function forgetfulService(): Promise<{ url: string; connections: Set<Socket> }> {
  const connections = new Set<Socket>();
  const served = new WeakSet<Socket>();
  const server = createHttpServer((request, response) => {
    connections.add(request.socket);
    if (served.has(request.socket)) return void request.socket.resetAndDestroy();
    served.add(request.socket);
    request.resume().once("end", () => response.end("{}"));
  });
  onTestFinished(() => server.closeAllConnections());
  return { url: `http://127.0.0.1:${await listening(server)}`, connections };
}

const post = (url: string, transport: Transport, timeoutMs = 5_000) =>
  exchange(transport, {
    url: new URL(url),
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"a":"é"}',
    timeoutMs,
    label: "POST /v1/referrals",
  });

test.each(KINDS)(
  "a call with a connection %s is kept at home by the last look",
  async (_, create) => {
    let bytes = 0;
    let requests = 0;
    const server = createHttpServer((request, response) => {
      requests++;
      request.resume().once("end", () => response.end("{}"));
    });
    const closed = new Set<Promise<unknown>>();
    server.on("connection", (socket: Socket) => {
      socket.on("data", (data) => (bytes += data.length));
      closed.add(once(socket, "close"));
    });
    const url = `http://127.0.0.1:${await listening(server)}`;
    const late = new NotSentError("timeout", "too late");
    const beforeFirstByte = () => {
      throw late;
    };
    const transport = create();
    const keptAtHome = () => post(url, (request) => transport({ ...request, beforeFirstByte }));
    // Over a new connection, which the service sees, and over one that was used before, where it is shared.
    await expect(keptAtHome()).rejects.toBe(late);
    expect({ connections: closed.size, bytes }).toEqual({ connections: 1, bytes: 0 });
    await post(url, transport);
    await expect(keptAtHome()).rejects.toBe(late);
    expect(requests).toBe(1);
    await Promise.all(closed);
  },
);

test("a shared connection that was closed meanwhile costs a request nothing", async () => {
  const { url, connections } = await forgetfulService();
  const transport = sharedConnections();
  for (let call = 0; call < 4; call++) expect((await post(url, transport)).status).toBe(200);
  // The shared one twice, each time with one of its own after it.
  expect(connections.size).toBe(4);
});

test("a request that breaks on its second connection as well is sent no third time", async () => {
  let requests = 0;
  const server = createHttpServer((request, response) => {
    requests++;
    if (requests > 1) return void request.socket.resetAndDestroy();
    request.resume().once("end", () => response.end("{}"));
  });
  const url = `http://127.0.0.1:${await listening(server)}`;
  const transport = sharedConnections();
  await post(url, transport);
  await expect(post(url, transport)).rejects.toMatchObject({
    name: "ReferralServiceError",
    failure: "connection",
  });
  expect(requests).toBe(3);
});

test("a request that must leave but once is never sent again", async () => {
  const { url, connections } = await forgetfulService();
  const transport = sharedConnections();
  await post(url, transport);
  await expect(post(url, (request) => transport({ ...request, once: true }))).rejects.toMatchObject(
    { name: "ReferralServiceError", failure: "connection" },
  );
  expect(connections.size).toBe(1);
});

test("a request that was answered in part, or had its time, is sent no second time", async () => {
  let requests = 0;
  const server = createHttpServer((request, response) => {
    requests++;
    if (requests === 1) return void request.resume().once("end", () => response.end("{}"));
    if (requests === 2) {
      response.writeHead(200, { "content-length": "9" }).flushHeaders();
      setTimeout(() => request.socket.resetAndDestroy(), 20);
      return;
    }
    if (requests === 3) request.resume().once("end", () => response.end("{}"));
  });
  const url = `http://127.0.0.1:${await listening(server)}`;
  const transport = sharedConnections();
  await post(url, transport);
  await expect(post(url, transport)).rejects.toMatchObject({ failure: "connection" });
  expect(requests).toBe(2);
  await post(url, transport);
  await expect(post(url, transport, 50)).rejects.toMatchObject({ failure: "timeout" });
  expect(requests).toBe(4);
});

test("a connection of its own never meets one that was closed meanwhile", async () => {
  const { url, connections } = await forgetfulService();
  const transport = ownConnections();
  for (let call = 0; call < 5; call++) expect((await post(url, transport)).status).toBe(200);
  expect(connections.size).toBe(5);
});

test.each(KINDS)("sends all and reads all over a connection %s", async (_, transport) => {
  let seen: unknown;
  const server = createHttpServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method, url, headers } = request;
    seen = { method, url, headers: asked(headers), body: String(Buffer.concat(chunks)) };
    response.writeHead(429, { "retry-after": "7" }).end("\uFEFFschön");
  });
  const answer = await post(`http://127.0.0.1:${await listening(server)}/v1/a?b=c`, transport());
  expect(seen).toEqual({
    method: "POST",
    url: "/v1/a?b=c",
    headers: { type: "application/json", length: "10", encoding: "identity" },
    body: '{"a":"é"}',
  });
  expect(answer).toEqual({ status: 429, retryAfter: "7", text: "schön" });
});

function asked(headers: IncomingHttpHeaders) {
  return {
    type: headers["content-type"],
    length: headers["content-length"],
    encoding: headers["accept-encoding"],
  };
}

test.each(KINDS)("no connection %s is a proof that nothing was sent", async (_, transport) => {
  const server = createServer();
  const url = `http://127.0.0.1:${await listening(server)}`;
  server.close();
  await expect(post(url, transport())).rejects.toMatchObject({ name: "NotSentError" });
});

test.each(KINDS)("a handshake that breaks %s is a proof as well", async (_, transport) => {
  const server = createServer((socket) => socket.once("data", () => socket.destroy()));
  const url = `https://127.0.0.1:${await listening(server)}`;
  await expect(post(url, transport())).rejects.toMatchObject({ name: "NotSentError" });
});

test.each(
  KINDS.flatMap(([kind, transport]) => [
    ["before an answer", kind, transport] as const,
    ["in the middle of an answer", kind, transport] as const,
  ]),
)("a connection that breaks %s proves nothing, %s", async (when, _, transport) => {
  const server = createServer((socket) =>
    socket.once("data", () => {
      if (when !== "before an answer")
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{");
      socket.end();
    }),
  );
  const url = `http://127.0.0.1:${await listening(server)}`;
  await expect(post(url, transport())).rejects.toMatchObject({
    name: "ReferralServiceError",
    failure: "connection",
  });
});

test.each(KINDS)(
  "an answer that is none ends the wait, %s",
  async (_, transport) => {
    const server = createServer((socket) =>
      socket.once("data", () =>
        socket.write(
          "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n",
        ),
      ),
    );
    const url = `http://127.0.0.1:${await listening(server)}`;
    await expect(post(url, transport(), 500)).rejects.toMatchObject({
      name: "ReferralServiceError",
      failure: "connection",
    });
  },
  5_000,
);

test.each(KINDS)(
  "a large answer is whole though its connection ends with it, %s",
  async (_, transport) => {
    const body = "x".repeat(3_000_000);
    const server = createHttpServer((_, response) => {
      response.writeHead(200, { connection: "close" }).end(body);
    });
    const url = `http://127.0.0.1:${await listening(server)}`;
    expect((await post(url, transport())).text).toHaveLength(body.length);
  },
);

test.each(KINDS)("a service that says nothing is a timeout, %s", async (_, transport) => {
  const server = createServer((socket) => socket.resume());
  const url = `http://127.0.0.1:${await listening(server)}`;
  await expect(post(url, transport(), 300)).rejects.toMatchObject({
    name: "ReferralServiceError",
    failure: "timeout",
  });
});

test.each(KINDS)(
  "refuses text that cannot be written down, over a connection %s",
  async (_, transport) => {
    let calls = 0;
    const server = createHttpServer((_request, response) => {
      calls++;
      response.end("{}");
    });
    const url = new URL(`http://127.0.0.1:${await listening(server)}`);
    const headers = { authorization: "Bearer of two\nlines" };
    const call = { url, method: "POST", headers, timeoutMs: 5_000, label: "POST /v1/referrals" };
    await expect(exchange(transport(), call)).rejects.toMatchObject({
      name: "NotSentError",
      message: "POST /v1/referrals: ERR_INVALID_CHAR",
    });
    expect(calls).toBe(0);
  },
);

test.each(KINDS)(
  "an answer without an end, %s, is broken off before it fills the memory",
  async (_, transport) => {
    let sent = 0;
    let isClosed = false;
    const megabyte = Buffer.alloc(1024 * 1024, " ");
    const server = createHttpServer((request, response) => {
      request.resume();
      response.writeHead(200).on("close", () => {
        isClosed = true;
      });
      const more = () => {
        while (!isClosed && response.write(megabyte)) sent += megabyte.length;
        sent += megabyte.length;
      };
      response.on("drain", more);
      more();
    });
    onTestFinished(() => server.closeAllConnections());
    const url = `http://127.0.0.1:${await listening(server)}`;
    await expect(post(url, transport(), 20_000)).rejects.toMatchObject({
      name: "ReferralServiceError",
      failure: "connection",
    });
    await expect.poll(() => isClosed).toBe(true);
    expect(sent).toBeLessThan(100 * megabyte.length);
  },
);

test("requests one after another share a connection; those at one time do not wait for it", async () => {
  const connections = new Set<Socket>();
  const server = createHttpServer((request, response) => {
    connections.add(request.socket);
    setTimeout(() => response.end("{}"), 20);
  });
  onTestFinished(() => server.closeAllConnections());
  const url = `http://127.0.0.1:${await listening(server)}`;
  const transport = sharedConnections();
  for (let call = 0; call < 3; call++) await post(url, transport);
  expect(connections.size).toBe(1);
  await Promise.all([post(url, transport), post(url, transport), post(url, transport)]);
  expect(connections.size).toBe(3);
});
