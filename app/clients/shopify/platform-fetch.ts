import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { setAbstractFetchFunc } from "@shopify/shopify-api/runtime";
import { despiteClosedConnection } from "../../platform/closed-meanwhile.ts";
import { request as requestHttp } from "../../platform/http.ts";

/** Somebody waits for a page, or a job holds one of its shop's few places. Shopify itself ends a query sooner. */
const LIMIT_MS = 30_000;

/** A call that must not reach Shopify twice, and what is known of it. */
export interface OneSending {
  /** It may have arrived. */
  wasSent: boolean;
}

const onlyOnce = new AsyncLocalStorage<OneSending>();

/**
 * Runs `call`, whose requests each go on a connection of their own: one that others share may have been closed a moment ago, and
 * nobody knows then whether what was written on it arrived. `sending` tells afterwards whether anything was written.
 */
export const sendOnce = <T>(sending: OneSending, call: () => Promise<T>): Promise<T> =>
  onlyOnce.run(sending, call);

/** Why the last request of a call got no answer. */
export interface Unanswered {
  cause?: unknown;
}

const unanswered = new AsyncLocalStorage<Unanswered>();

/** Runs `call`, and keeps why its last request got no answer: the library throws an error of its own, which names no cause. */
export const keepCause = <T>(kept: Unanswered, call: () => Promise<T>): Promise<T> =>
  unanswered.run(kept, call);

async function noted(request: Promise<Response>): Promise<Response> {
  const kept: Unanswered = unanswered.getStore() ?? {};
  delete kept.cause;
  try {
    return await request;
  } catch (error) {
    kept.cause = error;
    throw error;
  }
}

/**
 * Makes every call of Shopify's library end after `limitMs`; the library knows no limit, and Node's is five minutes. With an
 * `origin`, what is meant for a shop's own domain goes there instead and names the shop in X-Forwarded-Host, as a gateway in
 * front of Shopify would expect it. Call it before `shopifyApp()`, whose adapter otherwise keeps the global fetch.
 */
export function callShopify(origin: string | undefined, limitMs = LIMIT_MS): void {
  setAbstractFetchFunc(async (input, init) => {
    const limit = AbortSignal.timeout(limitMs);
    const signal = init?.signal ? AbortSignal.any([init.signal, limit]) : limit;
    const url = new URL(input instanceof Request ? input.url : String(input));
    const headers = new Headers(
      init?.headers ?? (input instanceof Request ? input.headers : undefined),
    );
    const isElsewhere = origin && url.hostname.endsWith(".myshopify.com");
    if (isElsewhere) headers.set("X-Forwarded-Host", url.hostname);
    const target = isElsewhere ? new URL(url.pathname + url.search, origin) : url;
    const sending = onlyOnce.getStore();
    if (sending) return noted(sendAlone(target, { ...init, headers, signal }, sending));
    // Without another address, what was given goes on as it came: a `Request` has a body of its own.
    const call = () =>
      fetch(
        isElsewhere ? target : input,
        isElsewhere ? { ...init, headers, signal } : { ...init, signal },
      );
    // The library asks for tokens once. A second answer replaces the first, if there was one.
    const mayBeSentAgain = url.pathname === TOKENS && !(input instanceof Request);
    return noted(mayBeSentAgain ? despiteClosedConnection(call) : call());
  });
}

const TOKENS = "/admin/oauth/access_token";

function sendAlone(url: URL, init: RequestInit, sending: OneSending): Promise<Response> {
  const { method = "GET", body, signal } = init;
  const secure = url.protocol === "https:";
  // Compressed bodies would have to be unpacked here.
  const headers = {
    ...Object.fromEntries(new Headers(init.headers)),
    "accept-encoding": "identity",
  };
  return new Promise((resolve, reject) => {
    const options = { method, headers, agent: false, signal: signal ?? undefined };
    const call = (secure ? requestHttps : requestHttp)(url, options);
    call.once("socket", (socket) =>
      socket.once(secure ? "secureConnect" : "connect", () => {
        sending.wasSent = true;
        call.end(body ?? undefined);
      }),
    );
    call.on("error", reject);
    // A protocol that nobody asked for ends a call without an error.
    const broken = () => reject(new Error("closed without an answer"));
    call.once("close", broken);
    call.once("response", (message) => {
      // From here on the answer tells how it ends.
      call.off("close", broken);
      whole(message).then(resolve, reject);
    });
  });
}

/** Rejects for a status that has no answer, such as 204: thrown where nobody waits, that would end the process. */
async function whole(message: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = [];
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
  const given = Object.entries(message.headersDistinct);
  const headers = given.flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const status = message.statusCode ?? 0;
  return new Response(Buffer.concat(chunks).toString("utf8"), { status, headers });
}
