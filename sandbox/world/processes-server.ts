import { once } from "node:events";
import { createServer } from "node:http";
import type { Processes } from "./world-line.ts";

/** Serves GET /processes on a free port of 127.0.0.1 and answers its address. It keeps nothing alive by itself. */
export async function serveProcesses(processes: () => Processes): Promise<string> {
  const server = createServer((request, response) => {
    const found = request.method === "GET" && request.url === "/processes";
    response.writeHead(found ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(found ? processes() : { error: "GET /processes is all there is" }));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  server.unref();
  const address = server.address();
  if (typeof address !== "object" || address === null)
    throw new Error("The supervisor has no port");
  return `http://127.0.0.1:${address.port}`;
}
