import type { IncomingMessage } from "node:http";

export type RawBody =
  | { kind: "whole"; bytes: Buffer }
  | { kind: "too_large" }
  | { kind: "truncated" };

/** Shopify's largest order payloads stay well below this. */
export const MAX_BYTES = 5 * 1024 * 1024;

/** Reads a request's body exactly as it was sent: signatures are over bytes, not over parsed JSON. */
export function readRawBody(request: IncomingMessage): Promise<RawBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_BYTES) {
        request.removeAllListeners("data");
        request.resume();
        resolve({ kind: "too_large" });
      } else chunks.push(chunk);
    });
    request.once("end", () => resolve({ kind: "whole", bytes: joined(chunks, size) }));
    // The sender went away before it had sent what it announced.
    request.once("aborted", () => resolve({ kind: "truncated" }));
    request.once("error", () => resolve({ kind: "truncated" }));
  });
}

function joined(chunks: Buffer[], size: number): Buffer {
  const [only] = chunks;
  return only && chunks.length === 1 ? only : Buffer.concat(chunks, size);
}
