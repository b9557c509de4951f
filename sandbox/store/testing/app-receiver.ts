import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";

export interface ReceivedRequest {
  method: string;
  /** Path with query. */
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface AppReceiver {
  url: string;
  received: ReceivedRequest[];
  /** Requests of one webhook topic, in order of arrival. */
  webhooks(topic: string): ReceivedRequest[];
  /** Resolves when `done` holds of what arrived; rejects after two seconds. */
  until(done: () => boolean): Promise<void>;
  /** How the receiver answers from now on. */
  answer: (request: ReceivedRequest) => { status: number; delayMs?: number };
  stop(): Promise<void>;
}

/** Stands where the app is: takes every request, answers 200, remembers all. */
export async function startAppReceiver(): Promise<AppReceiver> {
  const received: ReceivedRequest[] = [];
  const arrivals = new Set<() => void>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const entry = {
      method: request.method ?? "",
      url: request.url ?? "",
      headers: request.headers,
      body: Buffer.concat(chunks).toString("utf8"),
    };
    received.push(entry);
    for (const arrived of arrivals) arrived();
    const { status, delayMs = 0 } = receiver.answer(entry);
    setTimeout(() => response.writeHead(status).end(), delayMs);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const receiver: AppReceiver = {
    url: `http://127.0.0.1:${address.port}`,
    received,
    webhooks: (topic) => received.filter((entry) => entry.headers["x-shopify-topic"] === topic),
    until: (done) =>
      new Promise((resolve, reject) => {
        const settle = () => {
          if (!done()) return;
          clearTimeout(timer);
          arrivals.delete(settle);
          resolve();
        };
        const timer = setTimeout(() => {
          arrivals.delete(settle);
          const topics = received.map((entry) => entry.headers["x-shopify-topic"] ?? entry.url);
          reject(new Error(`what was awaited did not arrive; received: ${topics.join(", ")}`));
        }, 2_000);
        arrivals.add(settle);
        settle();
      }),
    answer: () => ({ status: 200 }),
    async stop() {
      server.close();
      server.closeAllConnections();
    },
  };
  return receiver;
}
