import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { lastLines } from "./log-file.ts";

/** Where the programs run unless told otherwise: the top of the repository. */
export const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));

export interface ProgramSpec {
  /** For people: "app", "worker 1", "referral service". */
  name: string;
  /** The checkout of another version, to run that one's program. */
  folder?: string;
  /** Relative to the top of the checkout, for example `app/server.ts`. */
  file: string;
  /** For Node itself, before the file. */
  nodeFlags?: readonly string[];
  args?: readonly string[];
  /** Added to our own environment. */
  env?: Readonly<Record<string, string>>;
  /** True when it prints one JSON line on its standard output once it is ready. */
  printsReadyLine: boolean;
  /** Everything else it says goes here. */
  logFile: string;
}

export interface RunningProgram {
  readonly pid: number;
  /** The first line on standard output; rejects when the program ends before. Empty for one that prints none. */
  readonly readyLine: Promise<string>;
  /** Says in words how it ended. */
  readonly ended: Promise<string>;
}

/** Variables of our own run that must not colour the programs: a test runner's marks and Node's inspector. */
const NOT_INHERITED = ["VITEST", "NODE_ENV", "NODE_OPTIONS", "NODE_V8_COVERAGE", "TEST", "DEV"];

/** Starts a Node program of the world. Its output goes to the log file, not through us. */
export function startProgram(spec: ProgramSpec): RunningProgram {
  mkdirSync(dirname(spec.logFile), { recursive: true });
  const log = openSync(spec.logFile, "a", 0o600);
  const child = spawn(
    process.execPath,
    [...preloaded(), ...(spec.nodeFlags ?? []), spec.file, ...(spec.args ?? [])],
    {
      cwd: spec.folder ?? REPOSITORY,
      env: { ...cleanEnvironment(), ...spec.env },
      // A group of its own: Ctrl-C is for the supervisor, which ends the programs in order.
      detached: true,
      stdio: ["ignore", spec.printsReadyLine ? "pipe" : log, log],
    },
  );
  closeSync(log);
  if (child.pid === undefined) throw new Error(`The ${spec.name} did not start`);
  const ended = once(child, "exit").then(([code, signalName]) =>
    signalName === null ? `ended with code ${code}` : `was ended by ${signalName}`,
  );
  return { pid: child.pid, ended, readyLine: firstLine(spec, child, ended) };
}

async function firstLine(
  spec: ProgramSpec,
  child: ChildProcess,
  ended: Promise<string>,
): Promise<string> {
  if (child.stdout === null) return "";
  const lines = createInterface({ input: child.stdout });
  const line = await Promise.race([
    once(lines, "line").then(([text]) => String(text)),
    ended.then((how) => {
      throw new Error(`The ${spec.name} ${how} before it was ready\n${lastLines(spec.logFile)}`);
    }),
  ]);
  // Later output, if any, is read and dropped, lest the pipe fill up.
  child.stdout.resume();
  return line;
}

/** What a test has every program begin with. */
function preloaded(): string[] {
  const module = process.env.PATHWAY_WORLD_PRELOAD;
  return module ? ["--import", module] : [];
}

/** Our own environment without such marks. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const environment = { ...process.env };
  for (const name of Object.keys(environment))
    if (NOT_INHERITED.includes(name) || name.startsWith("VITEST_")) delete environment[name];
  return environment;
}
