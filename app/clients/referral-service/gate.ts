import type { Answer } from "./http/transport.ts";

/**
 * Stands between the client and the network. A gate either calls `send` exactly once and passes on what it
 * returns or throws, or throws NotSentError without calling it: a create call is never sent twice by a gate.
 */
export type Gate = (send: () => Promise<Answer>) => Promise<Answer>;

/** No gate at all. */
export const openGate: Gate = (send) => send();

/** Gates one behind the other, the first one outermost. */
export function inSeries(...gates: Gate[]): Gate {
  return gates.reduceRight<Gate>((inner, outer) => (send) => outer(() => inner(send)), openGate);
}
