import { expect, test } from "vitest";
import { startServer } from "../testing/start-server.ts";
import { exchange } from "./exchange.ts";
import { sharedConnections } from "./transport.ts";

test.each(["POST", "PATCH", "DELETE"])(
  "%s is sent once, wherever the service says that it went",
  async (method) => {
    const { url, requests } = await startServer(({ target }, response) => {
      response.writeHead(target === "/here" ? 308 : 200, { location: "/there" }).end();
    });
    const answer = await exchange(sharedConnections(), {
      url: new URL("/here", url),
      method,
      headers: {},
      body: method === "DELETE" ? undefined : "{}",
      timeoutMs: 3000,
      label: `${method} /here`,
    });
    expect(answer.status).toBe(308);
    expect(requests.map(({ target }) => target)).toEqual(["/here"]);
  },
);
