import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually } from "./eventually.ts";
import { lastLines } from "./log-file.ts";
import { isAlive } from "./process-life.ts";
import { type Reaper, startReaper } from "./reaper-client.ts";
import { createSupervisor, type Supervisor } from "./supervisor.ts";

let folder: string;
let reaper: Reaper;
let supervisor: Supervisor;
let said: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "supervisor-"));
  reaper = startReaper();
  said = [];
  supervisor = createSupervisor({ reaper, verbose: false, say: (line) => said.push(line) });
});
afterEach(async () => {
  supervisor.stopStarting();
  await reaper.finish();
  rmSync(folder, { recursive: true, force: true });
});

/** A program that says it is ready and then does `code`. */
function program(code = "setInterval(() => {}, 1e6)") {
  const file = join(folder, "program.mjs");
  writeFileSync(file, `console.log(JSON.stringify({ pid: process.pid }));\n${code}`);
  return { name: "program", file, printsReadyLine: true, logFile: join(folder, "program.log") };
}

test("a killed program is started again, as another process", async () => {
  const lines: string[] = [];
  const kept = await supervisor.keep(program(), {
    restart: true,
    onReadyLine: (line) => lines.push(line),
  });
  const first = kept.pid();
  expect(JSON.parse(kept.readyLine)).toEqual({ pid: first });
  process.kill(first, "SIGKILL");
  await eventually(() => expect(lines).toHaveLength(2), { timeoutMs: 20_000 });
  expect(kept.pid()).not.toBe(first);
  expect(isAlive(kept.pid())).toBe(true);
  expect(said).toEqual(["The program was ended by SIGKILL; starting it again"]);
});

test("a program that is not to be restarted stays dead, and its last words are shown", async () => {
  const dying = program('console.error("out of paper"); setTimeout(() => process.exit(3), 50)');
  const kept = await supervisor.keep(dying, { restart: false });
  await eventually(() => expect(said).toHaveLength(1));
  expect(said[0]).toMatch(/The program ended with code 3:\n {4}out of paper/);
  expect(isAlive(kept.pid())).toBe(false);
});

test("a program that ends before it is ready is a failure with its last words", async () => {
  const silent = { ...program(), printsReadyLine: false };
  writeFileSync(silent.file, 'console.error("no ink"); process.exit(1)');
  const isReady = () => Promise.reject(new Error("not yet"));
  await expect(supervisor.keep(silent, { restart: true, isReady })).rejects.toThrow(
    /The program ended with code 1 before it was ready\n {4}no ink/,
  );
  await expect(
    supervisor.keep({ ...silent, printsReadyLine: true }, { restart: true }),
  ).rejects.toThrow(/before it was ready\n {4}no ink/);
});

test("once the world ends, nothing is started any more", async () => {
  supervisor.stopStarting();
  await expect(supervisor.keep(program(), { restart: true })).rejects.toThrow(/world is ending/);
});

test("the reaper's end takes every process with it, and the throw-away folder last", async () => {
  const parent = program(`
    import { spawn } from "node:child_process";
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { stdio: "ignore" });
    console.error(child.pid);
    setInterval(() => {}, 1e6);`);
  const kept = await supervisor.keep(parent, { restart: true });
  const grandchild = await eventually(() => {
    const pid = Number(lastLines(parent.logFile));
    expect(pid).toBeGreaterThan(0);
    return pid;
  });
  reaper.remove(folder);
  supervisor.stopStarting();
  await reaper.finish();
  await eventually(() => expect([kept.pid(), grandchild].map(isAlive)).toEqual([false, false]));
  expect(existsSync(folder)).toBe(false);
});

test("a supervisor that is killed outright leaves neither processes nor its folder behind", async () => {
  const { file, logFile } = program();
  const here = (name: string) => new URL(name, import.meta.url).href;
  const doomed = join(folder, "doomed.ts");
  writeFileSync(
    doomed,
    `import { startReaper } from "${here("reaper-client.ts")}";
     import { createSupervisor } from "${here("supervisor.ts")}";
     const reaper = startReaper();
     reaper.remove(${JSON.stringify(folder)});
     const supervisor = createSupervisor({ reaper, verbose: false, say() {} });
     const spec = ${JSON.stringify({ name: "program", file, printsReadyLine: true, logFile })};
     const kept = await supervisor.keep(spec, { restart: true });
     console.log(JSON.stringify([kept.pid(), reaper.pid]));`,
  );
  const child = spawn(process.execPath, [doomed], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const pids: number[] = JSON.parse(String(line));
  expect(pids.map(isAlive)).toEqual([true, true]);

  child.kill("SIGKILL");
  await eventually(() => expect(pids.map(isAlive)).toEqual([false, false]), { timeoutMs: 10_000 });
  expect(existsSync(folder)).toBe(false);
});
