import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { endProcesses, isAlive } from "./process-life.ts";

/** A process that says when it is ready and, if told so, will not listen to SIGTERM. */
async function startSleeper({ stubborn = false } = {}) {
  const code = `${stubborn ? 'process.on("SIGTERM", () => {});' : ""} setInterval(() => {}, 1e6); console.log("ready")`;
  const child = spawn(process.execPath, ["-e", code], { stdio: ["ignore", "pipe", "ignore"] });
  await once(child.stdout, "data");
  if (child.pid === undefined) throw new Error("no process");
  return { pid: child.pid, exited: once(child, "exit") };
}

test("a process that obeys ends by the signal it was asked with", async () => {
  const { pid, exited } = await startSleeper();
  expect(isAlive(pid)).toBe(true);
  await endProcesses([pid], { ask: "SIGTERM", graceMs: 5_000 });
  expect(await exited).toEqual([null, "SIGTERM"]);
  expect(isAlive(pid)).toBe(false);
});

test("a process that does not obey is killed after its grace", async () => {
  const { pid, exited } = await startSleeper({ stubborn: true });
  await endProcesses([pid], { ask: "SIGTERM", graceMs: 100 });
  expect(await exited).toEqual([null, "SIGKILL"]);
});

test("a stopped process is woken so that it can obey", async () => {
  const { pid, exited } = await startSleeper();
  process.kill(pid, "SIGSTOP");
  await endProcesses([pid], { ask: "SIGTERM", graceMs: 5_000 });
  expect(await exited).toEqual([null, "SIGTERM"]);
});

test("a process that has gone already is no error", async () => {
  const { pid, exited } = await startSleeper();
  process.kill(pid, "SIGKILL");
  await exited;
  await expect(endProcesses([pid], { ask: "SIGTERM", graceMs: 100 })).resolves.toBeUndefined();
});
