import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";

/** A failure that came before there was a connection: not a byte of the call was written. */
export class NotConnectedError extends Error {
  readonly code: string;

  constructor(code: string, cause: unknown) {
    super(code, { cause });
    this.name = "NotConnectedError";
    this.code = code;
  }
}

/**
 * `fetch` for a call that must not be repeated, as far as the client uses it: each call has a connection of its
 * own. A pooled one may have been closed by the other side a moment ago; the call is then lost after its first
 * byte, which for POST /v1/referrals means a doubt, a quarantine and a delay that nothing called for
 * (docs/decisions/0013). Rejects as fetch does: a TypeError whose cause carries the code.
 */
export const fetchOnOwnConnection: typeof globalThis.fetch = async (input, init = {}) => {
  const url = new URL(input instanceof Request ? input.url : input);
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  const { signal } = init;
  signal?.throwIfAborted();
  const body = typeof init.body === "string" ? init.body : undefined;
  const headers = Object.fromEntries(new Headers(init.headers));
  if (body !== undefined) headers["content-length"] = String(Buffer.byteLength(body));
  // Without an agent Node opens a connection for this request and closes it afterwards.
  const call = send(url, { method: init.method ?? "GET", headers, agent: false });
  const stop = () => call.destroy();
  signal?.addEventListener("abort", stop, { once: true });
  let connected = false;
  try {
    // Only then is anything written: a call that ends before has certainly not been sent.
    await connection(call, url.protocol === "https:");
    connected = true;
    const answered = answer(call);
    call.end(body);
    const message = await answered;
    return new Response(await text(message), {
      status: message.statusCode,
      headers: headersOf(message),
    });
  } catch (error) {
    throw failure({ error, connected, signal });
  } finally {
    signal?.removeEventListener("abort", stop);
  }
};

function connection(call: ClientRequest, secure: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    call.once("error", reject);
    call.once("close", () => reject(new Error("closed")));
    call.once("socket", (socket) =>
      socket.once(secure ? "secureConnect" : "connect", () => resolve()),
    );
  });
}

function answer(call: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    call.once("response", resolve);
    call.once("error", reject);
    call.once("close", () => reject(new Error("closed without an answer")));
  });
}

/** Null for nothing: some statuses must not come with a body. */
async function text(message: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return chunks.length > 0 ? Buffer.concat(chunks).toString("utf8") : null;
}

function headersOf({ headers }: IncomingMessage): Headers {
  const read = new Headers();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) read.set(name, Array.isArray(value) ? value.join(", ") : value);
  return read;
}

function failure(of: { error: unknown; connected: boolean; signal?: AbortSignal | null }): unknown {
  const { error, connected, signal } = of;
  if (connected && signal?.aborted) return signal.reason;
  const code =
    error instanceof Error && "code" in error && typeof error.code === "string"
      ? error.code
      : "ECONNRESET";
  const cause = connected
    ? Object.assign(new Error(code, { cause: error }), { code })
    : new NotConnectedError(code, error);
  return new TypeError("fetch failed", { cause });
}
