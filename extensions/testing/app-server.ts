import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  method: string;
  path: string;
  authorization: string | undefined;
  body: unknown;
}

export interface AppServer {
  origin: string;
  received: Received[];
  /** Answers the next calls to "METHOD /path" so, until replaced. */
  answer(call: string, status: number, body: unknown): void;
  close(): Promise<void>;
}

/** A real HTTP server in the app's place, so that calls cross a real `fetch`. */
export async function startAppServer(): Promise<AppServer> {
  const answers = new Map<string, { status: number; body: unknown }>();
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const path = request.url ?? "";
    const method = request.method ?? "";
    received.push({
      method,
      path,
      authorization: request.headers.authorization,
      body: text ? JSON.parse(text) : undefined,
    });
    const answer = answers.get(`${method} ${path}`) ?? {
      status: 404,
      body: { error: "no such call" },
    };
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    received,
    answer: (call, status, body) => void answers.set(call, { status, body }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
