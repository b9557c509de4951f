import type { z } from "zod";

const TIMEOUT_MS = 90_000;
/** A connection that rested may be closed by its server in the moment in which a busy machine uses it again. */
export const ONE_CALL_EACH = { connection: "close" };
/** Enough of a refusal to understand it. */
const EXCERPT_LENGTH = 400;

/** A server answered otherwise than agreed. The message holds the call, the status and the start of the answer. */
export class UnexpectedAnswer extends Error {
  readonly status: number;
  constructor(call: string, status: number, detail: string) {
    super(`${call} → ${status}: ${detail.slice(0, EXCERPT_LENGTH)}`);
    this.name = "UnexpectedAnswer";
    this.status = status;
  }
}

export interface JsonCall<T> {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Starts with a slash and is appended to the base address. */
  path: string;
  body?: unknown;
  answer: z.ZodType<T>;
}

export type CallJson = <T>(call: JsonCall<T>) => Promise<T>;

/**
 * Calls a JSON interface as the owner of a bearer token.
 * Throws {@link UnexpectedAnswer} for any status but 2xx and for an answer that is not as agreed.
 */
export function jsonCaller(
  baseUrl: string,
  headers: () => Promise<Record<string, string>>,
): CallJson {
  return async ({ method = "GET", path, body, answer }) => {
    const call = `${method} ${baseUrl}${path}`;
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        ...ONE_CALL_EACH,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(await headers()),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    if (!response.ok) throw new UnexpectedAnswer(call, response.status, text);
    const read = answer.safeParse(parseJson(text));
    if (read.success) return read.data;
    // Only where and what is wrong, never the values: they may be somebody's results.
    const problems = read.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`);
    throw new UnexpectedAnswer(call, response.status, problems.join("; "));
  };
}

/** Headers of somebody whose token never changes. */
export function bearer(token: string): () => Promise<Record<string, string>> {
  return async () => ({ authorization: `Bearer ${token}` });
}

/** A Shopify global id as one part of a path. */
export function inPath(id: string): string {
  return encodeURIComponent(id);
}

function parseJson(text: string): unknown {
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
