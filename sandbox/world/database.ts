import { basename, dirname, join } from "node:path";
import { endProcesses } from "./process-life.ts";
import { databaseReadySchema, readReadyLine } from "./ready-lines.ts";
import type { Reaper } from "./reaper-client.ts";
import type { Supervisor } from "./supervisor.ts";
import type { WorldFolder } from "./world-folder.ts";

export interface Database {
  url: string;
  /** The postmaster's process of the moment; null when the database is not ours. */
  pid(): number | null;
}

/**
 * A stopped PostgreSQL's folder with the app's tables, which throw-away data may begin with: tests set it. They kill
 * processes and never the machine, so their databases wait for no disk.
 */
const template = process.env.PATHWAY_POSTGRES_TEMPLATE;

/** Starts the embedded PostgreSQL, which comes back on the same port and data when it is killed. */
export async function keepDatabase({
  supervisor,
  reaper,
  files,
  port,
}: {
  supervisor: Supervisor;
  reaper: Reaper;
  files: WorldFolder;
  port: number;
}): Promise<Database> {
  const ready = (line: string) => readReadyLine("The database", databaseReadySchema, line);
  let postmaster: number | null = null;
  const original = files.throwAway && template ? template : null;
  // Where the original lies files are made quickly. Not in its folder, which may go while this world still ends.
  const dir = original
    ? join(dirname(dirname(original)), `${basename(files.folder)}-postgres`)
    : join(files.folder, "postgres");
  if (original) reaper.remove(dir);
  const program = await supervisor.keep(
    {
      name: "database",
      file: "tools/embedded-postgres.ts",
      args: [
        ...["--data", dir, "--port", String(port)],
        ...(original ? ["--template", original, "--no-sync"] : []),
      ],
      printsReadyLine: true,
      logFile: files.logFile("database"),
    },
    {
      restart: true,
      role: "database",
      // The postmaster is a child of that program and would outlive its sudden death.
      onReadyLine(line) {
        postmaster = ready(line).pid;
        reaper.watch(postmaster, "database");
      },
      async beforeRestart() {
        if (postmaster === null) return;
        await endProcesses([postmaster], { ask: "SIGINT", graceMs: 5_000 });
        reaper.forget(postmaster);
      },
    },
  );
  return { url: ready(program.readyLine).database_url, pid: () => postmaster };
}
