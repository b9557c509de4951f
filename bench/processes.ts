import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.once(signal, () => process.exit(1));

export interface Program {
  pid: number;
  stop(): Promise<void>;
}

/** Starts one of our programs with this environment added; `ready` waits until it can be used. */
export async function startProgram(
  args: string[],
  env: Record<string, string>,
  ready: (child: ChildProcess) => Promise<void>,
): Promise<Program> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  running.add(child);
  const exited = once(child, "exit").then(([code]) => {
    running.delete(child);
    return Number(code);
  });
  await Promise.race([
    ready(child),
    exited.then((code) => {
      throw new Error(`${args.join(" ")} ended with ${code} before it was ready`);
    }),
  ]);
  return {
    pid: child.pid ?? 0,
    async stop() {
      if (running.has(child)) child.kill("SIGTERM");
      await exited;
    },
  };
}

/** Waits until `GET url` answers 200, asking every so many milliseconds. */
export async function answering(url: string, everyMs = 50): Promise<void> {
  for (let waitedMs = 0; waitedMs < 30_000; waitedMs += everyMs) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  throw new Error(`${url} did not answer`);
}

export async function freePort(): Promise<number> {
  const { createServer } = await import("node:net");
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  if (!address || typeof address === "string") throw new Error("no port");
  return address.port;
}
