import { once } from "node:events";
import { createServer } from "node:http";
import { createWeb } from "../create-web.ts";
import type { WebOptions } from "../ports.ts";
import type { MemoryStore } from "./memory-store.ts";

export interface RunningWeb {
  origin: string;
  stop(): Promise<void>;
}

/** Serves the pages over a store in memory on a free port; other paths answer 418. */
export async function startWeb(store: MemoryStore, options: WebOptions = {}): Promise<RunningWeb> {
  const web = createWeb(store, options);
  const server = createServer((request, response) => {
    web(request, response).then((answered) => {
      if (answered) return;
      response.statusCode = 418;
      response.end("not a page");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port");
  store.facts.origin = `http://127.0.0.1:${address.port}`;
  return {
    origin: store.facts.origin,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
