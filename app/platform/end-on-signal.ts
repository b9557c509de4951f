import { constants } from "node:os";

/** A terminal that is closed, or a supervisor that asks for a new start, sends the last one. */
export const STOP_SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/**
 * Ends the process at once when it is told to stop, with the code that it would have without a handler. As the first process of
 * a container it would not hear of it otherwise, and be killed after the orchestrator's patience. Returns what takes this back.
 */
export function endOnSignal(): () => void {
  const end = (signal: NodeJS.Signals) => process.exit(128 + constants.signals[signal]);
  for (const signal of STOP_SIGNALS) process.on(signal, end);
  return () => {
    for (const signal of STOP_SIGNALS) process.off(signal, end);
  };
}
