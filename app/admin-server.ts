import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Vitals } from "./queue/vitals.ts";

/** Answers `GET /livez`: this process's event loop turns. Returns false for every other request. */
export function answersLive({ url = "" }: IncomingMessage, response: ServerResponse): boolean {
  if (!/^\/livez\/?(\?.*)?$/.test(url)) return false;
  answer(response, 200, { ok: true });
  return true;
}

/**
 * Opens the port for whoever operates the process, in every role: `GET /livez`, and `GET /readyz`, which answers 200,
 * or 503 with {"reasons": […]}. It asks nobody, so that it answers at once whatever hangs.
 */
export function openAdminPort(
  vitals: Vitals,
  { port, host }: { port: number; host: string },
): Promise<Server> {
  const server = createServer((request, response) => {
    if (answersLive(request, response)) return;
    if (!/^\/readyz\/?(\?.*)?$/.test(request.url ?? "")) {
      answer(response, 404, { error: "not_found" });
      return;
    }
    const reasons = vitals.reasons();
    if (reasons.length === 0) answer(response, 200, { ok: true });
    else answer(response, 503, { reasons });
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject).listen(port, host, () => resolve(server));
  });
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify(body));
}
