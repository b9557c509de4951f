import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** Whether the process still runs. A zombie, dead but not yet collected by its parent, does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs, as somebody else.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  return !isZombie(pid);
}

function isZombie(pid: number): boolean {
  if (process.platform !== "linux") return false;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The state follows the command's name, which may itself hold blanks and brackets.
    return stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z");
  } catch {
    return true;
  }
}

/** Sends a signal; a process that has gone already is no error. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/**
 * Asks processes to end and makes them end when they have not after `graceMs`.
 * A stopped (SIGSTOP) process is woken first, or it could not obey.
 */
export async function endProcesses(
  pids: readonly number[],
  { ask, graceMs }: { ask: NodeJS.Signals; graceMs: number },
): Promise<void> {
  for (const pid of pids) {
    signal(pid, ask);
    signal(pid, "SIGCONT");
  }
  const giveUpAt = performance.now() + graceMs;
  while (pids.some(isAlive) && performance.now() < giveUpAt) await delay(20);
  for (const pid of pids.filter(isAlive)) signal(pid, "SIGKILL");
}
