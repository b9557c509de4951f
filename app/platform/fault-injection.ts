import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { type AtCrashPoint, isCrashPoint } from "./crash-points.ts";

export interface FaultInjection {
  /** `name` or `name:nth`: die when this process reaches the point for the nth time. */
  at: string | undefined;
  /**
   * A folder from which running processes are told. A file `armed/NAME` is for the first process that comes to
   * that point: it takes the file away to `fired/NAME@PID@MS` and sends itself the signal which the file holds,
   * SIGKILL when it is empty.
   */
  folder: string | undefined;
}

/**
 * Reads what the process does at crash points; null when no fault is asked for. Throws for a point that is not on the
 * list.
 */
export function readFaultInjection({ at, folder }: FaultInjection): AtCrashPoint | null {
  const faults = [...(at ? [dieAt(at)] : []), ...(folder ? [obey(folder)] : [])];
  if (faults.length === 0) return null;
  return (point) => {
    for (const fault of faults) fault(point);
  };
}

function dieAt(setting: string): AtCrashPoint {
  const [name = "", nth = "1"] = setting.split(":");
  if (!isCrashPoint(name) || !/^[1-9]\d*$/.test(nth))
    throw new Error(
      `PATHWAY_CRASH_AT: "${setting}" is not a crash point or a crash point and a count`,
    );
  let left = Number(nth);
  return (point) => {
    if (point === name && --left === 0) signalSelf("SIGKILL");
  };
}

function obey(folder: string): AtCrashPoint {
  return (point) => {
    const fired = join(folder, "fired", `${point}@${process.pid}@${Date.now()}`);
    try {
      // One of all processes that come here gets the file.
      renameSync(join(folder, "armed", point), fired);
    } catch {
      // Nobody asks for it, or another process was first.
      return;
    }
    signalSelf(readFileSync(fired, "utf8").trim() === "SIGSTOP" ? "SIGSTOP" : "SIGKILL");
  };
}

/** Takes effect before this returns: no further statement of this process runs (until SIGCONT). */
function signalSelf(signal: "SIGKILL" | "SIGSTOP"): void {
  process.kill(process.pid, signal);
}
