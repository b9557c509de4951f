import { readdirSync, readFileSync } from "node:fs";

/** Linux counts in hundredths of a second. */
const TICK_MS = 10;

/**
 * Processor time in milliseconds that a process and its children have used so far; NaN where the system does
 * not tell. It varies far less than requests per second do on a machine with other things to do.
 */
export function cpuTimeMs(pid: number): number {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(statOf)
      .filter((stat) => stat?.pid === pid || stat?.parent === pid)
      .reduce((total, stat) => total + (stat?.ticks ?? 0) * TICK_MS, 0);
  } catch {
    return Number.NaN;
  }
}

function statOf(pid: string) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in brackets may hold anything.
    const fields = text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15);
    return { pid: Number(pid), parent: fields[1], ticks: user + system + childUser + childSystem };
  } catch {
    return null;
  }
}
