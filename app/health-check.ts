import type { IncomingMessage, ServerResponse } from "node:http";
import type { Pool } from "pg";
import { takesWrites } from "./platform/database/takes-writes.ts";
import type { Vitals } from "./queue/vitals.ts";

const PATH = /^\/healthz\/?(\?.*)?$/;

/**
 * `GET /healthz`: 200 when this process reaches its database, may write there, and knows no other reason why it can't answer requests, as that no
 * message can be stored. Else 503, and 503 from the moment on in which it is told to stop: whoever spreads requests may reach no other port, and
 * whoever looks from outside may be the only one who still can. A process that starts takes messages already. Returns false for every other request.
 * Asked before anything else is in memory, so it needs nothing else.
 */
export function createHealthCheck(pool: Pool, vitals: Pick<Vitals, "reasons">) {
  let asked: Promise<boolean> | null = null;
  /** Anybody may ask, so however many ask at one time, the database is asked once. */
  const ask = () => {
    asked ??= takesWrites(pool).finally(() => {
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
    if (vitals.reasons("web").some((reason) => reason !== "starting")) {
      answer(503, false);
      return true;
    }
    ask().then(
      (isWell) => answer(isWell ? 200 : 503, isWell),
      // Its code is logged by the probe that asks the same every 2 s (queue/vitals.ts).
      () => answer(503, false),
    );
    return true;
  };
}
