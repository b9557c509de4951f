import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { WriteMetrics } from "./metrics.ts";
import { errorCode } from "./platform/error-code.ts";
import { createServer } from "./platform/http.ts";
import type { Role, Vitals } from "./queue/vitals.ts";
import { addHeaders } from "./web/response-headers.ts";

/** Answers `GET /livez`: this process's event loop turns. Returns false for every other request. */
export function answersLive({ url = "" }: IncomingMessage, response: ServerResponse): boolean {
  if (!/^\/livez\/?(\?.*)?$/.test(url)) return false;
  answer(response, 200, { ok: true });
  return true;
}

/**
 * Opens the port for whoever operates the process, in every role: `GET /livez`, and `GET /readyz`, which answers 200,
 * or 503 with {"reasons": […]}. Both ask nobody, so that they answer at once whatever hangs. A process that only takes requests (`web`) is
 * ready while it can answer them, and names under "work" why what it does behind them stands still. `GET /metrics` is for
 * Prometheus.
 */
export function openAdminPort(
  vitals: Vitals,
  {
    port,
    host,
    roles,
    metrics,
  }: { port: number; host: string; roles: readonly Role[]; metrics: WriteMetrics },
): Promise<Server> {
  const server = createServer((request, response) => {
    addHeaders(response, { https: false });
    if (answersLive(request, response)) return;
    if (/^\/metrics\/?(\?.*)?$/.test(request.url ?? "")) {
      answerMetrics(metrics, response);
      return;
    }
    if (!/^\/readyz\/?(\?.*)?$/.test(request.url ?? "")) {
      answer(response, 404, { error: "not_found" });
      return;
    }
    const work = vitals.reasons("worker");
    const reasons = roles.includes("worker") ? work : vitals.reasons("web");
    if (reasons.length > 0) answer(response, 503, { reasons: work });
    else answer(response, 200, work.length > 0 ? { ok: true, work } : { ok: true });
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject).listen(port, host, () => resolve(server));
  });
}

function answerMetrics(metrics: WriteMetrics, response: ServerResponse): void {
  metrics().then(
    ({ contentType, text }) => {
      response.writeHead(200, { "content-type": contentType, "cache-control": "no-store" });
      response.end(text);
    },
    (error: unknown) => answer(response, 500, { error: errorCode(error) }),
  );
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify(body));
}
