import { errorCode } from "./error-code.ts";

/** Codes by which `fetch` says that the other side has closed a connection which it was about to use, or was using. */
const CLOSED: ReadonlySet<string> = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"]);

/**
 * Does a call of `fetch` once more whose connection the other side had closed: an idle one may have been closed a moment ago, and
 * nobody would try again what a person waits for. Only for a call that may arrive twice.
 */
export async function despiteClosedConnection<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof Error) || !CLOSED.has(errorCode(error.cause))) throw error;
    return await call();
  }
}
