import { constants } from "node:os";

const SIGNALS = ["SIGTERM", "SIGINT"] as const;

/**
 * Ends the process at once when it is told to stop, with the code that it would have without a handler. As the first process of
 * a container it would not hear of it otherwise, and be killed after the orchestrator's patience. Returns what takes this back.
 */
export function endOnSignal(): () => void {
  const end = (signal: NodeJS.Signals) => process.exit(128 + constants.signals[signal]);
  for (const signal of SIGNALS) process.on(signal, end);
  return () => {
    for (const signal of SIGNALS) process.off(signal, end);
  };
}
