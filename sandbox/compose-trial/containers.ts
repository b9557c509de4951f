import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { eventually } from "../world/eventually.ts";

/** The project's name: containers, volumes and images of the trial begin with it. */
export const NAME = "pathway-trial";
/** The trial's own range, in which Docker gives this machine the first address. */
export const NETWORK = "172.30.84";
/** This machine, as containers call it. */
export const HOST = `${NETWORK}.1`;
/** Everything of the trial that is no container; gone with it. */
export const folder = mkdtempSync(join(tmpdir(), "pathway-compose-"));
/** Where compose.yaml is run from. */
export const checkout = join(folder, "pathway");

export const run = promisify(execFile);
/** A command of Docker; answers what it printed. */
export const docker = async (...args: string[]) => (await run("docker", args)).stdout.trim();

const inCompose = (args: string[]) => ["compose", "-p", NAME, ...args];
/** A command of Compose, whose output is shown: images are made for minutes. */
export async function compose(...args: string[]): Promise<void> {
  const child = spawn("docker", inCompose(args), { cwd: checkout, stdio: ["ignore", 2, 2] });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`docker compose ${args.join(" ")} ended with ${code}`);
}
/** A command of Compose; answers what it printed. */
export const composeText = async (...args: string[]) =>
  (await run("docker", inCompose(args), { cwd: checkout })).stdout.trim();

/** Writes .env and ./secrets, step 1 and 2 of the book. */
export function writeSettings(
  settings: Record<string, string>,
  secrets: Record<string, string>,
): void {
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(checkout, ".env"), lines.join(""));
  mkdirSync(join(checkout, "secrets"), { recursive: true, mode: 0o700 });
  for (const [name, value] of Object.entries(secrets)) {
    writeFileSync(join(checkout, "secrets", name), value);
    chmodSync(join(checkout, "secrets", name), 0o644);
  }
}

const isReady = (state: string) => /\(healthy\)/.test(state);
/** Every process of the app says that it is ready. */
export const untilReady = () =>
  eventually(
    async () => {
      const states = (await composeText("ps", "--format", "{{.Status}}", "web", "worker")).split(
        "\n",
      );
      if (states.length !== 3 || !states.every(isReady)) throw new Error(states.join(", "));
    },
    { what: "web and two workers that are healthy", timeoutMs: 300_000 },
  );
