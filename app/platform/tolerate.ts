import { toleratedErrors } from "./counters.ts";
import { errorCode } from "./error-code.ts";
import type { Logger } from "./logger.ts";

/**
 * For an error after which nothing has to be done: a handler for `catch` that logs its code and counts it. `at` names
 * the place, as `lease.renew` does. Who calls it says beside it why the error may be left alone.
 */
export function tolerate(logger: Pick<Logger, "warn">, at: string): (error: unknown) => void {
  return (error) => {
    toleratedErrors.add({ at, code: errorCode(error) });
    logger.warn({ err: error, at }, "an error that may be left alone");
  };
}
