import type { Agent, ClientRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { Agent as HttpAgent, request as httpRequest } from "../../../platform/http.ts";
import { unpacked } from "./unpacked.ts";

/** One HTTP request. A redirect is an answer like any other: following it could send a POST twice. */
export interface Outgoing {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body?: string;
  /** It must not leave twice, over whatever connection. */
  once?: boolean;
  /** Aborting it ends the request and whatever of the answer is still to come. */
  signal: AbortSignal;
  /** The last look before anything is written: there is a connection by now. Where it throws, nothing leaves. */
  beforeFirstByte?: () => void;
  /** The head of an answer is there; its body is not. */
  onHead?: () => void;
}

/** An answer, with its whole body as text. */
export interface Answer {
  status: number;
  /** The header as it came. */
  retryAfter: string | null;
  text: string;
}

/** Rejects with NotConnectedError when certainly no byte left, and with any other error when one may have. */
export type Transport = (request: Outgoing) => Promise<Answer>;

/**
 * A failure that came before there was a connection: no address, no answer, no trust in its certificate,
 * or a request that cannot be written down.
 */
export class NotConnectedError extends Error {
  readonly code: string;

  constructor(cause: unknown) {
    super(codeOf(cause), { cause });
    this.name = "NotConnectedError";
    this.code = codeOf(cause);
  }
}

/**
 * Requests one after another share connections. The other side may have closed one a moment ago: a request that was written to
 * it and got nothing of an answer is sent again on a connection of its own, unless it must leave but once
 * (docs/decisions/0013).
 */
export function sharedConnections(): Transport {
  const agents = {
    http: new HttpAgent({ keepAlive: true }),
    https: new HttpsAgent({ keepAlive: true }),
  };
  return async (request) => {
    try {
      return await send(request, request.url.protocol === "https:" ? agents.https : agents.http);
    } catch (error) {
      if (!(error instanceof ClosedMeanwhileError)) throw error;
      if (request.once) throw error.cause;
      return await send(request, false);
    }
  };
}

/**
 * A connection for each request, for calls that must not be repeated. The other side may have closed a shared connection a
 * moment ago; the call is then lost after its first byte. For POST /v1/referrals that means a doubt, a quarantine and a
 * delay that nothing called for (docs/decisions/0013).
 */
export function ownConnections(): Transport {
  return (request) => send(request, false);
}

/** A connection of an earlier request broke before it brought any of an answer. */
class ClosedMeanwhileError extends Error {}

/** The system's name of a failure, which holds nothing of what was sent. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "UNKNOWN";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

/** Far more than the longest page of results. One answer that has no end would else fill the memory of all shops' process. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

class AnswerTooLongError extends Error {
  readonly code = "ANSWER_TOO_LONG";

  constructor() {
    super("the answer is longer than any can be");
    this.name = "AnswerTooLongError";
  }
}

const BYTE_ORDER_MARK = /^\uFEFF/;

async function send(request: Outgoing, agent: Agent | false): Promise<Answer> {
  const { url, body, signal } = request;
  const secure = url.protocol === "https:";
  const call = prepare(request, secure, agent);
  const stop = () => call.destroy();
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  let isAnswered = false;
  let mayLeave = false;
  try {
    // Only then is anything written: a call that ends before has certainly not been sent.
    await connection(call, secure);
    // Asked here and not before: this process may have stood still until there was a connection.
    request.beforeFirstByte?.();
    mayLeave = true;
    const answered = answer(call, () => {
      isAnswered = true;
      request.onHead?.();
    });
    call.end(body);
    return await answered;
  } catch (error) {
    if (!mayLeave) stop();
    if (!mayLeave || !call.reusedSocket || isAnswered || signal.aborted) throw error;
    throw new ClosedMeanwhileError(codeOf(error), { cause: error });
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** A call that waits for its connection. */
function prepare(
  { url, method, headers, body }: Outgoing,
  secure: boolean,
  agent: Agent | false,
): ClientRequest {
  // Answers are short: packing them costs more than it saves.
  const all: Record<string, string> = { "accept-encoding": "identity", ...headers };
  if (body !== undefined) all["content-length"] = String(Buffer.byteLength(body));
  try {
    return (secure ? httpsRequest : httpRequest)(url, { method, headers: all, agent });
  } catch (error) {
    // A header that cannot be written down.
    throw new NotConnectedError(error);
  }
}

function connection(call: ClientRequest, secure: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    call.on("error", (error) => reject(new NotConnectedError(error)));
    call.once("socket", (socket) => {
      // It was connected for another request.
      if (call.reusedSocket) resolve();
      else socket.once(secure ? "secureConnect" : "connect", () => resolve());
    });
  });
}

function answer(call: ClientRequest, onHead: () => void): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const broken = () => reject(new Error("closed without a whole answer"));
    call.on("error", reject);
    // A protocol that nobody asked for ends a call without an error.
    call.once("close", broken);
    call.once("response", (message) => {
      // From here on the answer tells how it ends: its last bytes may be read after the connection has closed.
      call.off("close", broken);
      onHead();
      const chunks: Buffer[] = [];
      let size = 0;
      message.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > MAX_ANSWER_BYTES) message.destroy(new AnswerTooLongError());
        else chunks.push(chunk);
      });
      message.on("error", reject);
      message.once("end", () => {
        const { statusCode = 0, headers } = message;
        const whole = (body: Buffer): Answer => ({
          status: statusCode,
          retryAfter: headers["retry-after"] ?? null,
          text: body.toString("utf8").replace(BYTE_ORDER_MARK, ""),
        });
        const body = Buffer.concat(chunks);
        const encoding = headers["content-encoding"];
        unpacked(body, encoding, MAX_ANSWER_BYTES).then(whole).then(resolve, reject);
      });
    });
  });
}
