const LOOK_EVERY_MS = 500;

/**
 * Calls `ended` when the process that started us is gone, if it asked for that by an environment variable, as the test
 * harness does. Somebody who starts us in the background of a shell, which then ends, does not ask.
 */
export function awaitEndOfParent(ended: () => void): void {
  if (process.env.PATHWAY_WORLD_ENDS_WITH_PARENT !== "1") return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    ended();
  }, LOOK_EVERY_MS);
  timer.unref();
}
