import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CrashPoint } from "../../app/platform/crash-points.ts";

/** A process came to an armed point. */
export interface Fired {
  point: string;
  pid: number;
}

/** The folder by which running processes are told where to die (app/platform/fault-injection.ts). */
export function openControlFolder() {
  const path = mkdtempSync(join(tmpdir(), "pathway-chaos-"));
  const armed = join(path, "armed");
  const fired = join(path, "fired");
  for (const folder of [armed, fired]) mkdirSync(folder);
  const seen = new Set<string>();
  return {
    path,
    arm: (point: CrashPoint, signal: "SIGKILL" | "SIGSTOP" = "SIGKILL") =>
      writeFileSync(join(armed, point), signal === "SIGKILL" ? "" : signal),
    disarm: (point: string) => rmSync(join(armed, point), { force: true }),
    disarmAll() {
      for (const name of readdirSync(armed)) rmSync(join(armed, name), { force: true });
    },
    /** Those who came to an armed point since the last time. */
    take(): Fired[] {
      const news = readdirSync(fired).filter((name) => !seen.has(name));
      return news.map((name) => {
        seen.add(name);
        const [point = "", pid] = name.split("@");
        return { point, pid: Number(pid) };
      });
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
export type ControlFolder = ReturnType<typeof openControlFolder>;
