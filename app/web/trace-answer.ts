import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "../platform/logger.ts";
import { tolerate } from "../platform/tolerate.ts";
import { inStep } from "../platform/traces.ts";

/** The parts of the app that answer; what follows in an address may be a secret, and names no step. */
const PARTS = new Set([
  ...["app", "api", "auth", "documents", "exports", "proxy", "shares", "stop", "t", "visit"],
]);

/** Answers as a step of a trace: what a person does may ask for work, which goes on in that trace. Assets are none. */
export function traceAnswer(
  { method, url = "" }: IncomingMessage,
  response: ServerResponse,
  { logger, answer }: { logger: Logger; answer: () => void },
): void {
  const part = url.split(/[/?]/, 2)[1] ?? "";
  if (!PARTS.has(part)) {
    answer();
    return;
  }
  inStep(`${method} /${part}`, { kind: "server", parent: null }, async (note) => {
    const ended = once(response, "close");
    answer();
    await ended;
    note({ "http.response.status_code": response.statusCode });
  }).catch(tolerate(logger, "trace-answer"));
}
