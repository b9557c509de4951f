import type { IncomingMessage } from "node:http";
import { ApiError, invalidPayload } from "./api-error.ts";

/** Largest request body; far above any order, far below anything that could hurt. */
const maxBodyBytes = 256 * 1024;

/** Deepest nesting of a JSON body; deeper input is an attack on recursive readers. */
const maxJsonDepth = 32;

/** How much of a body that is too large is read, so that its sender gets to see the answer. */
const maxDiscardedBytes = 64 * 1024 * 1024;

function tooLarge(): ApiError {
  return new ApiError(413, "PAYLOAD_TOO_LARGE", `The body is larger than ${maxBodyBytes} bytes`, {
    headers: { connection: "close" },
  });
}

/**
 * Reads a request body.
 *
 * Throws ApiError 413 when the limit is passed: after the rest has been read and thrown away,
 * since a sender that is still writing would meet a closed connection instead of the answer.
 */
export async function readBody(request: IncomingMessage): Promise<string> {
  return await new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBodyBytes) chunks.push(chunk);
      else chunks = [];
      if (bytes > maxDiscardedBytes) reject(tooLarge());
    });
    request.once("end", () => {
      if (bytes > maxBodyBytes) reject(tooLarge());
      else resolve(Buffer.concat(chunks).toString("utf8"));
    });
    request.once("error", () => reject(invalidPayload("The body was not sent to its end")));
  });
}

/** Whether brackets outside of strings nest deeper than the limit. */
function nestsTooDeep(source: string): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < source.length; index += 1) {
    const character = source.charCodeAt(index);
    if (inString) {
      if (character === 0x5c) index += 1;
      else if (character === 0x22) inString = false;
    } else if (character === 0x22) inString = true;
    else if (character === 0x7b || character === 0x5b) {
      depth += 1;
      if (depth > maxJsonDepth) return true;
    } else if (character === 0x7d || character === 0x5d) depth -= 1;
  }
  return false;
}

/** Parses a JSON body; throws ApiError 400 INVALID_PAYLOAD for anything that is not JSON. */
export function parseJson(source: string): unknown {
  if (source.trim() === "") throw invalidPayload("The body is empty; a JSON object is expected");
  if (nestsTooDeep(source))
    throw invalidPayload(`The body nests deeper than ${maxJsonDepth} levels`);
  try {
    const value: unknown = JSON.parse(source);
    return value;
  } catch {
    throw invalidPayload("The body is not valid JSON");
  }
}
