import { readFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../world/eventually.ts";
import { checkout, compose, composeText, docker, NAME, run, untilReady } from "./containers.ts";

/** Has the service `backup` make its backup now: it does so at each start. */
export async function backUp(): Promise<void> {
  const made = async () => (await composeText("logs", "backup")).split("The backup is complete");
  const before = (await made()).length;
  await compose("restart", "backup");
  await eventually(
    async () => {
      if ((await made()).length === before) throw new Error("it is not complete");
    },
    { what: "a backup", timeoutMs: 180_000 },
  );
}

/** The commands of Compose in "Backup and restore", for the newest backup and the trial's volumes. */
async function commandsOfTheBook(): Promise<string> {
  const book = readFileSync(join(checkout, "docs/operations.md"), "utf8");
  const blocks = book.match(/^ *```\n[\s\S]*?^ *```$/gm) ?? [];
  const [block = "", ...others] = blocks.filter((text) => text.includes("pg_restore"));
  if (!block.includes("docker compose up -d database") || others.length > 0)
    throw new Error("docs/operations.md has not one block that restores with Compose");
  const files = await composeText("exec", "-T", "backup", "ls", "-t", "/backups");
  const [, newest = ""] = /^pathway-(.+)\.dump$/m.exec(files) ?? [];
  return block
    .replaceAll(/^ *```$/gm, "")
    .replaceAll(/\d{4}-\d\d-\d\d(?=\.(?:dump|tar))/g, newest)
    .replaceAll(/\bpathway_(?=documents|objects)/g, `${NAME}_`);
}

/** Loses the database and the PDFs, and restores both by the book. Nothing is sent until the service's lists were compared. */
export async function loseAndRestore(): Promise<void> {
  const commands = await commandsOfTheBook();
  await compose("rm", "--stop", "--force", "web", "worker", "backup", "database", "objects");
  await docker("volume", "rm", `${NAME}_database`, `${NAME}_objects`, `${NAME}_documents`);
  const said = await run("sh", ["-ec", commands], {
    cwd: checkout,
    env: { ...process.env, COMPOSE_PROJECT_NAME: NAME },
    timeout: 300_000,
  });
  if (/ERROR/.test(said.stderr)) throw new Error(said.stderr);
  await compose("--profile", "objects", "up", "-d", "objects");
  await eventually(
    async () => {
      if ((await countPaused()) === 0) throw new Error("no connection is");
    },
    { what: "a pause" },
  );
  await untilReady();
  const logs = await composeText("logs", "web", "worker");
  if (!logs.includes("restored: nothing is sent until the service's lists have been compared"))
    throw new Error("no process says that it is restored");
  await compose("run", "--rm", "operator", "node", "app/commands/documents.ts", "claim");
}

const countPaused = async () => {
  const asked = "SELECT count(*) FROM connections WHERE paused_at IS NOT NULL";
  const psql = ["exec", "-T", "database", "psql", "-qtAX", "-U", "pathway"];
  return Number(await composeText(...psql, "-c", asked));
};

/** Sending goes on after a restore. Fails as long as it does not. */
export async function isUnpaused(): Promise<void> {
  const paused = await countPaused();
  if (paused > 0) throw new Error(`${paused} connections are paused`);
}
