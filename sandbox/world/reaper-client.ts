import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { ReaperOrder } from "./reaper.ts";

export interface Reaper {
  readonly pid: number;
  /** From now on this process ends with the world; a database ends after everything else. */
  watch(pid: number, role: "client" | "database"): void;
  /** This process has ended by itself: its id may soon belong to somebody else. */
  forget(pid: number): void;
  /** This folder goes when the last process has gone. */
  remove(folder: string): void;
  /** Ends everything watched; resolves when nothing is left. */
  finish(): Promise<void>;
}

/** Starts the process that cleans up behind the world (see reaper.ts). */
export function startReaper(): Reaper {
  const reaper = spawn(process.execPath, [fileURLToPath(new URL("reaper.ts", import.meta.url))], {
    // Its own session, so that what is sent to our whole group does not end it before its work is done.
    detached: true,
    stdio: ["pipe", "ignore", "inherit"],
  });
  const { pid } = reaper;
  if (pid === undefined)
    throw new Error("The process that cleans up behind the world did not start");
  // Not waited for unless asked to: an idle world must not be kept alive by it.
  reaper.unref();
  const exited = once(reaper, "exit");
  reaper.stdin.on("error", () => {
    // It has gone; `finish` reports that.
  });
  const order = (what: ReaperOrder) => reaper.stdin.write(`${JSON.stringify(what)}\n`);
  return {
    pid,
    watch: (watched, role) => order({ watch: watched, role }),
    forget: (watched) => order({ forget: watched }),
    remove: (folder) => order({ remove: folder }),
    async finish() {
      reaper.ref();
      reaper.stdin.end();
      const [code] = await exited;
      if (code !== 0) throw new Error(`Cleaning up behind the world failed (${code}); see above`);
    },
  };
}
