import { type Logger as PinoLogger, pino } from "pino";

export type Logger = PinoLogger;

/**
 * JSON lines on standard error. Callers log ids, codes, attempts and durations only; an error is reduced to
 * its name, code and stack frames, because its message may quote a value somebody typed.
 */
export function createLogger(level: string): Logger {
  return pino(
    { level, base: { pid: process.pid }, serializers: { err: describeError } },
    pino.destination({ fd: 2, sync: true }),
  );
}

/** What may be written down about a failure. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    ...(typeof code === "string" ? { code } : {}),
    stack: error.stack
      ?.split("\n")
      .filter((line) => /^\s+at /.test(line))
      .slice(0, 8)
      .join("\n"),
    ...(error.cause ? { cause: describeError(error.cause) } : {}),
  };
}
