const CODE = /^\w{1,60}$/;

/**
 * The driver of PostgreSQL gives these failures words and no code, and the words never change. They are what a database that hangs,
 * or has no connection left, looks like from here: whoever reads the log at night has nothing else to go by.
 */
const CODES_OF_WORDS = new Map([
  ["Query read timeout", "query_read_timeout"],
  ["timeout exceeded when trying to connect", "connection_timeout"],
  ["timeout expired", "connection_timeout"],
  ["Connection terminated due to connection timeout", "connection_timeout"],
  ["Connection terminated", "connection_ended"],
  ["Connection terminated unexpectedly", "connection_ended"],
  ["Client has encountered a connection error and is not queryable", "connection_ended"],
  ["Client was closed and is not queryable", "connection_ended"],
  ["The server does not support SSL connections", "tls_refused"],
  ["There was an error establishing an SSL connection", "tls_refused"],
]);

/** The code that a failure has: SQLSTATE, the system's, ours, or the one for the driver's words. Null where there is none. */
export function knownCode(error: unknown): string | null {
  if (typeof error !== "object" || error === null) return null;
  const { code, message } = error as Record<string, unknown>;
  if (typeof code === "string" && CODE.test(code)) return code;
  return typeof message === "string" ? (CODES_OF_WORDS.get(message) ?? null) : null;
}

/**
 * The code of a failure, for logs, metrics and the merchant's health: SQLSTATE, the system's code or one of ours.
 * Never a message, which may quote a value. A failure without a code is called by its class.
 */
export function errorCode(error: unknown): string {
  const code = knownCode(error);
  if (code) return code;
  const name = error instanceof Error ? error.name : "";
  return CODE.test(name) ? name : "unknown";
}

/** The code of the first cause of a failure, such as the system's. Null where it has no cause. */
export function causeCode(error: unknown): string | null {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause === undefined) return null;
  return causeCode(cause) ?? errorCode(cause);
}
