import type { Answer } from "./http/transport.ts";

/**
 * Stands between the client and the network. A middleware either calls `send` exactly once and passes on what it
 * returns or throws, or throws NotSentError without calling it: a create call is never sent twice by a middleware.
 */
export type Middleware = (send: () => Promise<Answer>) => Promise<Answer>;

/** No middleware at all. */
export const passThrough: Middleware = (send) => send();

/** Several in series, the first one outermost. */
export function inSeries(...middlewares: Middleware[]): Middleware {
  return middlewares.reduceRight<Middleware>(
    (inner, outer) => (send) => outer(() => inner(send)),
    passThrough,
  );
}
