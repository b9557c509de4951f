import { setTimeout as delay } from "node:timers/promises";
import { eventually } from "./eventually.ts";
import { followLog, lastLines } from "./log-file.ts";
import { type ProgramSpec, type RunningProgram, startProgram } from "./program.ts";
import type { Reaper } from "./reaper-client.ts";

/** A program that dies again and again is started at most this often: still "within a second". */
const RESTART_PAUSE_MS = 500;
/** A program that ran this long is started again at once. */
const SETTLED_MS = 2_000;
const START_TIMEOUT_MS = 180_000;

export interface KeptProgram {
  readonly name: string;
  /** The id of the process of the moment. */
  pid(): number;
  /** The process's words when it was ready the first time; empty when it prints no such line. */
  readonly readyLine: string;
}

export interface KeepOptions {
  /** Start it again when it ends by itself. Otherwise its end is told and the world goes on without it. */
  restart: boolean;
  /** A database is ended after the others. */
  role?: "client" | "database";
  /** Throws as long as the program is not ready; for programs that print no ready line. */
  isReady?: () => Promise<void>;
  /** Called with each process's ready line, at the first start and after a restart. */
  onReadyLine?: (line: string) => void;
  /** Clears away what a dead process left, before the next one is started. */
  beforeRestart?: () => Promise<void>;
}

export interface Supervisor {
  /** Starts a program and resolves once it is ready; rejects with its last words when it ends before. */
  keep(spec: ProgramSpec, options: KeepOptions): Promise<KeptProgram>;
  /** From now on nothing is started; the reaper ends what runs. */
  stopStarting(): void;
  /** The end of what each program has said, for a failure whose reason lies with one of them. */
  lastWords(): string;
}

/** Keeps programs running, as an orchestrator would. `say` takes sentences for people. */
export function createSupervisor({
  reaper,
  verbose,
  say,
}: {
  reaper: Reaper;
  verbose: boolean;
  say: (line: string) => void;
}): Supervisor {
  let stopping = false;
  const specs: ProgramSpec[] = [];

  const launch = (spec: ProgramSpec, { role = "client", onReadyLine }: KeepOptions): Launched => {
    // The reaper may have read its last order: nobody would end what is started now.
    if (stopping) throw new Error(`The world is ending: the ${spec.name} is not started any more`);
    const program = startProgram(spec);
    reaper.watch(program.pid, role);
    const readyLine = program.readyLine.then((line) => {
      onReadyLine?.(line);
      return line;
    });
    return { program, readyLine };
  };

  const watchOver = async (spec: ProgramSpec, options: KeepOptions, current: Launched) => {
    for (;;) {
      const startedAt = performance.now();
      const how = await current.program.ended;
      reaper.forget(current.program.pid);
      if (stopping) return;
      if (!options.restart) {
        say(`The ${spec.name} ${how}:\n${lastLines(spec.logFile)}`);
        return;
      }
      say(`The ${spec.name} ${how}; starting it again`);
      await options.beforeRestart?.();
      if (performance.now() - startedAt < SETTLED_MS) await delay(RESTART_PAUSE_MS);
      if (stopping) return;
      Object.assign(current, launch(spec, options));
      current.readyLine.catch((error: unknown) => {
        if (!stopping) say(String(error));
      });
    }
  };

  return {
    stopStarting() {
      stopping = true;
    },
    lastWords() {
      const said = specs.map(({ name, logFile }) => ({ name, lines: lastLines(logFile) }));
      return said
        .filter(({ lines }) => lines.trim() !== "")
        .map(({ name, lines }) => `The last words of the ${name}:\n${lines}`)
        .join("\n");
    },
    async keep(spec, options) {
      specs.push(spec);
      if (verbose) followLog(spec.logFile, `[${spec.name}]`, (text) => process.stderr.write(text));
      const current = launch(spec, options);
      const readyLine = await current.readyLine;
      if (options.isReady !== undefined)
        await firstReadiness(spec, options.isReady, current.program);
      void watchOver(spec, options, current);
      return { name: spec.name, pid: () => current.program.pid, readyLine };
    },
  };
}

interface Launched {
  program: RunningProgram;
  readyLine: Promise<string>;
}

async function firstReadiness(
  spec: ProgramSpec,
  isReady: () => Promise<void>,
  program: RunningProgram,
): Promise<void> {
  const { logFile, name } = spec;
  const gaveUp = new AbortController();
  const endedEarly = program.ended.then((how) => {
    gaveUp.abort();
    throw new Error(`The ${name} ${how} before it was ready\n${lastLines(logFile)}`);
  });
  const ready = eventually(isReady, {
    timeoutMs: START_TIMEOUT_MS,
    intervalMs: 25,
    what: `the ${name} to be ready`,
    signal: gaveUp.signal,
  }).catch((error: unknown) => {
    throw new Error(`${String(error)}\n${lastLines(logFile)}`, { cause: error });
  });
  await Promise.race([ready, endedEarly]);
}
