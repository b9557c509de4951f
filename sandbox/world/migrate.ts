import { createHash } from "node:crypto";
import { lastLines } from "./log-file.ts";
import { startProgram } from "./program.ts";
import type { Reaper } from "./reaper-client.ts";
import type { WorldFolder } from "./world-folder.ts";

/** What the app's processes log in with. */
export interface WorldAccess {
  /** PostgreSQL itself, where the others lead through a proxy. */
  directUrl: string | undefined;
  webUrl: string;
  workerUrl: string;
  intakeUrl: string;
  tenantKeys: string;
}

/**
 * Migrates the database as its owner, as `npm run migrate` does, and answers what the processes log in with. The passwords
 * follow from the server: roles belong to it, and other worlds of other owners may play there at this moment.
 */
export async function migrateWorld({
  reaper,
  files,
  ownerUrl,
  proxyUrl,
  folder,
}: {
  reaper: Reaper;
  files: WorldFolder;
  ownerUrl: string;
  /** What the processes' transactions go through; nothing else does. */
  proxyUrl?: string | undefined;
  /** The checkout of another version, to migrate as that one does. */
  folder?: string;
}): Promise<WorldAccess> {
  const of = (login: "web" | "worker" | "intake") => ({
    login,
    password: passwordOf(ownerUrl, login),
  });
  const [web, worker, intake] = [of("web"), of("worker"), of("intake")];
  const logFile = files.logFile("migrate");
  const program = startProgram({
    name: "migration",
    folder,
    file: "app/commands/migrate.ts",
    env: {
      DATABASE_URL: ownerUrl,
      PATHWAY_TENANT_KEYS: files.tenantKeys,
      PATHWAY_WEB_PASSWORD: web.password,
      PATHWAY_WORKER_PASSWORD: worker.password,
      PATHWAY_INTAKE_PASSWORD: intake.password,
    },
    printsReadyLine: false,
    logFile,
  });
  reaper.watch(program.pid, "client");
  const how = await program.ended;
  reaper.forget(program.pid);
  if (how !== "ended with code 0") throw new Error(`The migration ${how}\n${lastLines(logFile)}`);
  const url = ({ login, password }: ReturnType<typeof of>) => {
    const own = new URL(proxyUrl ?? ownerUrl);
    own.username = `pathway_${login}`;
    own.password = password;
    return own.href;
  };
  return {
    ...{ webUrl: url(web), workerUrl: url(worker), intakeUrl: url(intake) },
    directUrl: proxyUrl && ownerUrl,
    tenantKeys: files.tenantKeys,
  };
}

/** One that was given, as to `npm run migrate`, or one of the demo's own. */
function passwordOf(ownerUrl: string, login: "web" | "worker" | "intake"): string {
  const given = process.env[`PATHWAY_${login.toUpperCase()}_PASSWORD`];
  if (given) return given;
  // However the server and its owner are called: a second owner may not change what the first one's processes log in with.
  const { port } = new URL(ownerUrl);
  return createHash("sha256")
    .update(["pathway demo", port || "5432", login].join(" "))
    .digest("hex")
    .slice(0, 32);
}
