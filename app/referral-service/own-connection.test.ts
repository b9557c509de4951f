import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { exchange } from "./exchange.ts";
import { fetchOnOwnConnection } from "./own-connection.ts";

async function listening(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

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
  return { url: await listening(server), connections };
}

const post = (url: string, fetch: typeof globalThis.fetch) =>
  exchange(fetch, {
    url: new URL(url),
    init: { method: "POST", headers: { "content-type": "application/json" }, body: '{"a":"é"}' },
    timeoutMs: 5_000,
    label: "POST /v1/referrals",
  });

test("a connection that the service has closed meanwhile is never met again", async () => {
  const pooled = await forgetfulService();
  // This is the trouble: a call that was written, and of which nobody knows what became.
  const many = async () => {
    for (let call = 0; call < 20; call++) await post(pooled.url, fetch);
  };
  await expect(many()).rejects.toMatchObject({ failure: "connection" });

  const own = await forgetfulService();
  for (let call = 0; call < 5; call++)
    expect((await post(own.url, fetchOnOwnConnection)).status).toBe(200);
  expect(own.connections.size).toBe(5);
});

test("sends and reads what fetch would", async () => {
  let seen: unknown;
  const server = createHttpServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method, url, headers } = request;
    const body = String(Buffer.concat(chunks));
    seen = { method, url, type: headers["content-type"], length: headers["content-length"], body };
    response.writeHead(429, { "retry-after": "7" }).end("schön");
  });
  const url = await listening(server);
  const answer = await post(`${url}/v1/referrals?a=b`, fetchOnOwnConnection);
  expect(seen).toEqual({
    method: "POST",
    url: "/v1/referrals?a=b",
    type: "application/json",
    length: "10",
    body: '{"a":"é"}',
  });
  expect(answer).toMatchObject({ status: 429, text: "schön" });
  expect(answer.headers.get("retry-after")).toBe("7");
});

test("no connection is a proof that nothing was sent", async () => {
  const server = createServer();
  const url = await listening(server);
  server.close();
  await expect(post(url, fetchOnOwnConnection)).rejects.toMatchObject({ name: "NotSentError" });
});

test("a connection that breaks in the handshake is a proof as well", async () => {
  const url = await listening(
    createServer((socket) => socket.once("data", () => socket.destroy())),
  );
  const secure = url.replace("http:", "https:");
  await expect(post(secure, fetchOnOwnConnection)).rejects.toMatchObject({ name: "NotSentError" });
});

test.each(["before an answer", "in the middle of an answer"])(
  "a connection that breaks %s proves nothing",
  async (when) => {
    const url = await listening(
      createServer((socket) =>
        socket.once("data", () => {
          if (when !== "before an answer")
            socket.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{");
          socket.end();
        }),
      ),
    );
    await expect(post(url, fetchOnOwnConnection)).rejects.toMatchObject({
      name: "ReferralServiceError",
      failure: "connection",
    });
  },
);

test("a service that takes the call and says nothing is a timeout", async () => {
  const url = await listening(createServer((socket) => socket.resume()));
  const slow = exchange(fetchOnOwnConnection, {
    url: new URL(url),
    init: { method: "POST", headers: {}, body: "{}" },
    timeoutMs: 50,
    label: "POST /v1/referrals",
  });
  await expect(slow).rejects.toMatchObject({ name: "ReferralServiceError", failure: "timeout" });
});
