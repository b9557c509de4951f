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
  /**
   * Answers the next calls to "METHOD /path" so, until replaced; `next` is the query of the next page. A body that is a promise is
   * answered once it is kept.
   */
  answer(call: string, status: number, body: unknown, next?: string): void;
  close(): Promise<void>;
}

/** A real HTTP server in the app's place, so that calls cross a real `fetch`. */
export async function startAppServer(): Promise<AppServer> {
  const answers = new Map<string, { status: number; body: unknown; next?: string }>();
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
    const { next, ...answer } = answers.get(`${method} ${path}`) ?? {
      status: 404,
      body: { error: "no such call" },
    };
    const link = next ? { link: `<${next}>; rel="next"` } : {};
    const body = await answer.body;
    response.writeHead(answer.status, { "content-type": "application/json", ...link });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    received,
    answer: (call, status, body, next) =>
      void answers.set(call, { status, body, ...(next ? { next } : {}) }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
