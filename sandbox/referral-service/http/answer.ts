import type { ServerResponse } from "node:http";

/** The answer that a handler wants on the wire. */
export type Answer =
  | { kind: "json"; status: number; body: unknown; headers?: Record<string, string> }
  | {
      kind: "bytes";
      status: number;
      contentType: string;
      body: string | Buffer;
      headers?: Record<string, string>;
    }
  | { kind: "redirect"; location: string; headers?: Record<string, string> }
  /** The connection is reset without an answer (faults). */
  | { kind: "reset" };

/** 200 (or another status) with a JSON body. */
export function json(body: unknown, status = 200): Answer {
  return { kind: "json", status, body };
}

/** Puts an answer on the wire. */
export function sendAnswer(response: ServerResponse, answer: Answer): void {
  if (answer.kind === "reset") {
    response.socket?.resetAndDestroy();
    return;
  }
  if (answer.kind === "redirect") {
    response.writeHead(303, { ...answer.headers, location: answer.location }).end();
    return;
  }
  const body = answer.kind === "json" ? JSON.stringify(answer.body) : answer.body;
  response
    .writeHead(answer.status, {
      "content-type":
        answer.kind === "json" ? "application/json; charset=utf-8" : answer.contentType,
      "content-length": Buffer.byteLength(body),
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      ...answer.headers,
    })
    .end(body);
}
