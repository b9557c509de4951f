import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** The calls that a test's server has received. */
export interface Received {
  method: string;
  /** Path and query. */
  target: string;
  headers: IncomingMessage["headers"];
  body: string;
}

export type Behaviour = (received: Received, response: ServerResponse) => unknown;

export interface RunningServer {
  url: string;
  port: number;
  requests: Received[];
  stop(): Promise<void>;
}

/** A real HTTP server that behaves as told, on a free port of this machine, until the test ends. */
export async function startServer(behaviour: Behaviour): Promise<RunningServer> {
  const requests: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const received = {
      method: request.method ?? "",
      target: request.url ?? "",
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    };
    requests.push(received);
    await behaviour(received, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(stop);
  return { url: `http://127.0.0.1:${port}`, port, requests, stop };
}

/** Answers with JSON. */
export function answer(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}
