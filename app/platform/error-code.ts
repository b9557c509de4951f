const CODE = /^\w{1,60}$/;

/**
 * The code of a failure, for logs, metrics and the merchant's health: SQLSTATE, the system's code or one of ours.
 * Never a message, which may quote a value. A failure without a code is called by its class.
 */
export function errorCode(error: unknown): string {
  if (typeof error !== "object" || error === null) return "unknown";
  const { code, name } = error as Record<string, unknown>;
  if (typeof code === "string" && CODE.test(code)) return code;
  return error instanceof Error && typeof name === "string" && CODE.test(name) ? name : "unknown";
}
