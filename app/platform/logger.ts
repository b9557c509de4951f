import { type Logger as PinoLogger, pino } from "pino";
import { toleratedErrors } from "./counters.ts";
import { errorCode, knownCode } from "./error-code.ts";
import { traceIds } from "./traces.ts";

export type Logger = PinoLogger;

/**
 * JSON lines on standard error. Callers log ids, codes, attempts and durations only; an error is reduced to
 * its name, code and stack frames, because its message may quote a value somebody typed.
 */
export function createLogger(level: string): Logger {
  return pino(
    {
      level,
      base: { pid: process.pid },
      serializers: { err: describeError },
      mixin: () => traceIds() ?? {},
    },
    standardError(),
  );
}

/** So much waits for a disk that is full, and is written once it is not; later lines are lost until then. */
const WAITING_BYTES = 256 * 1024;

/** Nobody loses an order because a full disk, or a terminal that was closed, takes no line of the log. */
function standardError() {
  const destination = pino.destination({ fd: 2, sync: true, maxLength: WAITING_BYTES });
  destination.on("error", (error) => toleratedErrors.add({ at: "log", code: errorCode(error) }));
  return destination;
}

const CODE = /^\w{1,60}$/;
/** A place in a file: what somebody typed after "at" has none. */
const FRAME = /^\s+at .*(:\d+:\d+|<anonymous>|native)\)?$/;

/** Returns what may be logged about a failure. The job engine reports its failures as objects that are no errors. */
export function describeError(error: unknown): Record<string, unknown> {
  if (typeof error !== "object" || error === null) return { type: typeof error };
  const { constraint, stack, cause, message } = error as Record<string, unknown>;
  const code = knownCode(error);
  return {
    type: error instanceof Error ? error.name : "object",
    ...(code ? { code } : {}),
    ...(typeof constraint === "string" && CODE.test(constraint) ? { constraint } : {}),
    ...(typeof stack === "string" ? { stack: framesOf(stack, message) } : {}),
    ...(cause ? { cause: describeError(cause) } : {}),
  };
}

/** A message stands before the frames, and a line of it may look like one: somebody may have typed it. */
const framesOf = (stack: string, message: unknown) =>
  (typeof message === "string" ? stack.replace(message, "") : stack)
    .split("\n")
    .filter((line) => FRAME.test(line))
    .slice(0, 8)
    .join("\n");
