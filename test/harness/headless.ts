import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** Ten seconds where the machine is quiet. */
const START_TIMEOUT_MS = 300_000;
const STOP_TIMEOUT_MS = 30_000;
const KEPT_STDERR_CHARS = 16_000;

/** A world that runs, as the process that keeps it. */
export interface HeadlessWorld {
  /** The one line that it printed when it was ready. */
  line: string;
  /** Returns its standard error so far (its last part). */
  said(): string;
  /** Ends every process and removes the data; may be called more than once. */
  stop(): Promise<void>;
}

/**
 * Starts `node sandbox/demo.ts --headless` in a checkout and resolves once it is ready. The app must have been built there.
 * Rejects with what the world said when it does not come up.
 */
export async function startHeadless({
  folder,
  args,
  env = {},
  timeoutMs = START_TIMEOUT_MS,
}: {
  folder: string;
  args: readonly string[];
  env?: Record<string, string> | undefined;
  timeoutMs?: number | undefined;
}): Promise<HeadlessWorld> {
  const child = spawn(process.execPath, ["sandbox/demo.ts", "--headless", ...args], {
    cwd: folder,
    // Its end must not depend on our good manners: a killed test run ends its worlds too.
    env: { ...process.env, ...env, PATHWAY_WORLD_ENDS_WITH_PARENT: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-KEPT_STDERR_CHARS);
  });
  const exited = once(child, "exit");
  const stop = () => stopChild(child, exited);
  try {
    return { line: await firstLine(child, exited, timeoutMs), said: () => said, stop };
  } catch (cause) {
    await stop();
    throw new Error(`The world did not come up: ${String(cause)}\n${said}`, { cause });
  }
}

async function firstLine(
  child: ChildProcess,
  exited: Promise<unknown[]>,
  timeoutMs: number,
): Promise<string> {
  if (child.stdout === null) throw new Error("no standard output");
  const lines = createInterface({ input: child.stdout });
  const [text] = await Promise.race([
    once(lines, "line", { signal: AbortSignal.timeout(timeoutMs) }),
    exited.then(([code]) => {
      throw new Error(`it ended with code ${String(code)}`);
    }),
  ]);
  return String(text);
}

async function stopChild(child: ChildProcess, exited: Promise<unknown[]>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  const impatience = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(impatience);
}
