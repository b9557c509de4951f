import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { armCrashPoints, crashPoint } from "./crash-points.ts";
import { readFaultInjection } from "./fault-injection.ts";

/** A process that comes to two points three times each, and says so each time. */
const WALK = `
  import { armCrashPoints, crashPoint } from "./app/platform/crash-points.ts";
  import { readFaultInjection } from "./app/platform/fault-injection.ts";
  const { AT: at, FOLDER: folder } = process.env;
  armCrashPoints(readFaultInjection({ at, folder }));
  for (let round = 1; round <= 3; round++)
    for (const point of ["order.before-read", "order.after-read"]) {
      console.log(point + " " + round);
      crashPoint(point);
    }
`;

async function walk(env: { AT?: string; FOLDER?: string }) {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", WALK], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.on("data", (text) => {
    said += String(text);
  });
  const [, signal] = await once(child, "close");
  return { pid: child.pid, signal, steps: said.trim().split("\n") };
}

test("nobody dies of crash points unless somebody wishes it", async () => {
  const { signal, steps } = await walk({});
  expect(signal).toBeNull();
  expect(steps).toHaveLength(6);
  expect(readFaultInjection({ at: undefined, folder: undefined })).toBeNull();
});

test("a process dies at the named point, the nth time, and no statement later", async () => {
  const first = await walk({ AT: "order.after-read" });
  expect(first).toMatchObject({ signal: "SIGKILL" });
  expect(first.steps).toEqual(["order.before-read 1", "order.after-read 1"]);
  const second = await walk({ AT: "order.before-read:2" });
  expect(second.steps).toEqual([
    "order.before-read 1",
    "order.after-read 1",
    "order.before-read 2",
  ]);
});

test("a folder tells running processes; a wish is one process's", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pathway-crash-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ["armed", "fired"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "armed", "order.after-read"), "");
  const both = await Promise.all([walk({ FOLDER: folder }), walk({ FOLDER: folder })]);
  const dead = both.filter(({ signal }) => signal === "SIGKILL");
  expect(dead).toHaveLength(1);
  expect(dead[0]?.steps).toHaveLength(2);
  const [fired, ...others] = readdirSync(join(folder, "fired"));
  expect(fired).toMatch(new RegExp(`^order\\.after-read@${dead[0]?.pid}@\\d+$`));
  expect(others).toEqual([]);
});

test("a point that is not on the list is no wish", () => {
  for (const at of ["order.nowhere", "order.after-read:0", "toString"])
    expect(() => readFaultInjection({ at, folder: undefined })).toThrow("PATHWAY_CRASH_AT");
});

test("a copy of the module, as Remix's build has one, is armed with it", async () => {
  const reached: string[] = [];
  onTestFinished(() => armCrashPoints(null));
  armCrashPoints((point) => reached.push(point));
  vi.resetModules();
  const copy = await import("./crash-points.ts");
  expect(copy.crashPoint).not.toBe(crashPoint);
  copy.crashPoint("order.after-read");
  expect(reached).toEqual(["order.after-read"]);
});
