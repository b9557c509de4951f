import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { z } from "zod";
import { until } from "./harness.ts";

/** A delivery as it arrived. */
export interface Received {
  headers: IncomingHttpHeaders;
  raw: string;
  body: Record<string, unknown>;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** The names of the events, in order of arrival. */
  events(): string[];
  /** Waits until so many deliveries have arrived. */
  count(howMany: number): Promise<Received[]>;
  /** The status that the next deliveries are answered with. */
  answerWith(status: number): void;
  /** Answers nothing until the returned function is called. */
  hold(): () => void;
  stop(): Promise<void>;
}

const anyObject = z.record(z.string(), z.unknown());

/** An endpoint that keeps what it is sent. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let status = 200;
  let release = () => {};
  let held = Promise.resolve();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const raw = Buffer.concat(chunks).toString("utf8");
      received.push({ headers: request.headers, raw, body: anyObject.parse(JSON.parse(raw)) });
      void held.then(() => response.writeHead(status).end()); // never rejects
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/events`,
    received,
    events: () => received.map(({ body }) => String(body.event ?? body.type ?? body.eventType)),
    count: (howMany) => until(async () => received.length >= howMany && received),
    answerWith(next) {
      status = next;
    },
    hold() {
      held = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
    async stop() {
      release();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
