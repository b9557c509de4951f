import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";

/** Tells which of the servers answered: its place in the list, from 0. */
export const SERVED_BY = "x-served-by";

const LOOK_EVERY_MS = 100;
const LOOK_TIMEOUT_MS = 5_000;

/**
 * Listens on `port` of 127.0.0.1 and gives each request to the next of the servers, as a plain proxy in front of several
 * processes does, without sessions. A server that is not ready or takes no connection is passed over. An answer that breaks off
 * breaks off for the caller too; a request that was given out and got none is answered 502. Answers what ends it.
 */
export async function startRoundRobin(
  port: number,
  servers: readonly string[],
): Promise<() => void> {
  let turn = 0;
  const ready = new Set(servers);
  const look = async (server: string) => {
    const isReady = await fetch(`${server}/healthz`, {
      signal: AbortSignal.timeout(LOOK_TIMEOUT_MS),
    })
      .then((answer) => answer.ok)
      .catch(() => false);
    if (isReady) ready.add(server);
    else ready.delete(server);
  };
  const looking = setInterval(() => void Promise.all(servers.map(look)), LOOK_EVERY_MS).unref();
  const proxy = createServer((incoming, response) => {
    // The whole request, so that it can be given to another.
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const first = turn++;
      const all = servers.map((_, at) => (first + at) % servers.length);
      const isReady = (at: number) => ready.has(servers[at] ?? "");
      const order = [...all.filter(isReady), ...all.filter((at) => !isReady(at))];
      pass(incoming, response, { body: Buffer.concat(chunks), servers, order });
    });
  });
  await once(proxy.listen(port, "127.0.0.1"), "listening");
  return () => {
    clearInterval(looking);
    proxy.close();
    proxy.closeAllConnections();
  };
}

function pass(
  incoming: IncomingMessage,
  response: ServerResponse,
  { body, servers, order }: { body: Buffer; servers: readonly string[]; order: number[] },
): void {
  const [at, ...others] = order;
  const server = at === undefined ? undefined : servers[at];
  if (server === undefined) {
    response.writeHead(502).end();
    return;
  }
  const outgoing = request(`${server}${incoming.url}`, {
    method: incoming.method,
    headers: {
      ...incoming.headers,
      "x-forwarded-for": incoming.socket.remoteAddress,
      "x-forwarded-proto": "http",
    },
    setHost: false,
    agent: false,
  });
  outgoing.on("response", (answer) => {
    response.writeHead(answer.statusCode ?? 502, { ...answer.headers, [SERVED_BY]: String(at) });
    answer.pipe(response);
    answer.on("error", () => response.destroy());
  });
  outgoing.on("error", (error) => {
    if (response.headersSent) response.destroy();
    else if ("code" in error && error.code === "ECONNREFUSED")
      pass(incoming, response, { body, servers, order: others });
    else response.writeHead(502).end();
  });
  response.on("close", () => outgoing.destroy());
  outgoing.end(body);
}
