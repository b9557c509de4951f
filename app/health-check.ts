import type { IncomingMessage, ServerResponse } from "node:http";
import type { Pool } from "pg";

const PATH = /^\/healthz\/?(\?.*)?$/;

/**
 * `GET /healthz`: 200 when this process reaches its database, else 503. Returns false for every other request. Asked
 * before anything else is in memory, so it needs nothing else.
 */
export function createHealthCheck(pool: Pool) {
  let asked: Promise<unknown> | null = null;
  /** Anybody may ask, so however many ask at one time, the database is asked once. */
  const ask = () => {
    asked ??= pool.query("SELECT 1").finally(() => {
      asked = null;
    });
    return asked;
  };
  return ({ method = "", url = "" }: IncomingMessage, response: ServerResponse): boolean => {
    if (!["GET", "HEAD"].includes(method) || !PATH.test(url)) return false;
    const answer = (status: number, ok: boolean) =>
      response
        .writeHead(status, { "content-type": "application/json" })
        .end(JSON.stringify({ ok }));
    ask().then(
      () => answer(200, true),
      // Its code is logged by the probe that asks the same every 2 s (queue/vitals.ts).
      () => answer(503, false),
    );
    return true;
  };
}
