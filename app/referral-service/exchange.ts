import { ReferralServiceError } from "../lib/errors.ts";
import { NotSentError } from "./not-sent-error.ts";
import { NotConnectedError } from "./own-connection.ts";

/** What came back: status, headers and the whole body as text. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

/** One HTTP request. `label` names it in errors ("GET /v1/tests") and holds ids only. */
export interface Exchange {
  url: URL;
  init: { method: string; headers: Record<string, string>; body?: string };
  timeoutMs: number;
  label: string;
  /** Ends the wait for an answer early: this process is stopping. */
  giveUp?: AbortSignal;
}

/**
 * Sends one request and reads the whole answer within `timeoutMs`. Redirects are not followed: `fetch` would
 * send a POST a second time on 307 and 308. Throws NotSentError when certainly no byte of it left, and
 * ReferralServiceError (`connection` or `timeout`) when one may have.
 */
export async function exchange(fetch: typeof globalThis.fetch, call: Exchange): Promise<Answer> {
  let answered = false;
  try {
    const timeout = AbortSignal.timeout(call.timeoutMs);
    const signal = call.giveUp ? AbortSignal.any([timeout, call.giveUp]) : timeout;
    const response = await fetch(call.url, { ...call.init, signal, redirect: "manual" });
    answered = true;
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (error) {
    const code = codeOf(error);
    if (!answered && (isBeforeConnection(error) || NOTHING_WRITTEN.has(code))) {
      throw new NotSentError("connection", `${call.label}: ${code}`, { cause: error });
    }
    if (code === "TimeoutError") {
      const message = `${call.label}: no whole answer within ${call.timeoutMs} ms`;
      throw new ReferralServiceError("timeout", message, { cause: error });
    }
    if (call.giveUp?.aborted) {
      const message = `${call.label}: parked, because this process stops`;
      throw new ReferralServiceError("timeout", message, { cause: error });
    }
    throw new ReferralServiceError("connection", `${call.label}: ${code}`, { cause: error });
  }
}

/**
 * Failures that happen only before the first byte of a request: no connection, no name, no trust. Node's
 * fetch does not tell what it wrote, so everything that is not on this list may have reached the service.
 */
const NOTHING_WRITTEN: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EAI_FAIL",
  "UND_ERR_CONNECT_TIMEOUT",
  // Certificate checks end the handshake before the request is written (Node's TLS error codes).
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "CERT_REVOKED",
  "CERT_REJECTED",
  "CERT_UNTRUSTED",
  "CERT_CHAIN_TOO_LONG",
  "CERT_SIGNATURE_FAILURE",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "INVALID_CA",
  "INVALID_PURPOSE",
  "HOSTNAME_MISMATCH",
  "ERR_TLS_CERT_ALTNAME_INVALID",
]);

const isBeforeConnection = (error: unknown) =>
  error instanceof Error && error.cause instanceof NotConnectedError;

/** The code of a failed fetch: its cause's system or undici code, else the error's name. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "UNKNOWN";
  const { cause } = error;
  if (cause instanceof Error && "code" in cause && typeof cause.code === "string") {
    return cause.code;
  }
  return error.name;
}
