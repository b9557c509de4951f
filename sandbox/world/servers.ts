import { join } from "node:path";
import { APP } from "./app-command.ts";
import { readReadyLine, serviceReadySchema, storeReadySchema } from "./ready-lines.ts";
import type { KeptProgram, Supervisor } from "./supervisor.ts";
import type { WorldFolder } from "./world-folder.ts";

/** Tests set others: an app that may hold more memory spends less time on freeing it. */
const given = process.env.PATHWAY_APP_NODE_FLAGS;
const nodeFlags = given ? given.split(" ") : APP.nodeFlags;
const workerFlags = given ? nodeFlags : [...APP.nodeFlags, ...APP.workerFlags];

/** Throw-away servers keep everything in memory; the others in a folder beside the database's. */
const dataOf = (files: WorldFolder, program: string) =>
  files.throwAway ? ":memory:" : join(files.folder, program);

/** Starts the referral service, in staging, at the pace of a test. */
export async function keepService(supervisor: Supervisor, files: WorldFolder, port: number) {
  const name = "referral service";
  const program = await supervisor.keep(
    {
      name,
      file: "sandbox/referral-service/main.ts",
      args: [
        ...["--port", String(port), "--data", dataOf(files, "service")],
        ...["--environment", "staging", "--pace", "instant"],
      ],
      printsReadyLine: true,
      logFile: files.logFile(name),
    },
    { restart: false },
  );
  return {
    program,
    ready: readReadyLine(`The ${name}`, serviceReadySchema, program.readyLine),
  };
}

/** Starts the store that the app at `appUrl` is to be installed in. */
export async function keepStore(
  supervisor: Supervisor,
  files: WorldFolder,
  { port, appUrl, accounts }: { port: number; appUrl: string; accounts: "new" | "legacy" },
) {
  const name = "store";
  const program = await supervisor.keep(
    {
      name,
      file: "sandbox/store/main.ts",
      args: [
        "--port",
        String(port),
        "--data",
        dataOf(files, "store"),
        "--app-url",
        appUrl,
        "--accounts",
        accounts,
      ],
      printsReadyLine: true,
      logFile: files.logFile(name),
    },
    { restart: false },
  );
  return { program, ready: readReadyLine(`The ${name}`, storeReadySchema, program.readyLine) };
}

/** Starts the app's first process, web and worker in one, and waits until it says that it is healthy. */
export function keepApp(
  supervisor: Supervisor,
  files: WorldFolder,
  appUrl: string,
  environment: Record<string, string>,
): Promise<KeptProgram> {
  return supervisor.keep(
    {
      name: "app",
      ...APP,
      nodeFlags,
      env: { ...APP.env, ...environment, PATHWAY_ROLES: "web,worker" },
      printsReadyLine: false,
      logFile: files.logFile("app"),
    },
    { restart: true, isReady: () => answersHealthy(appUrl) },
  );
}

/** Starts a further process that only serves, at `url`. */
export function keepWeb(
  supervisor: Supervisor,
  files: WorldFolder,
  { index, url }: { index: number; url: string },
  environment: Record<string, string>,
): Promise<KeptProgram> {
  const name = `web ${index}`;
  return supervisor.keep(
    {
      name,
      ...APP,
      nodeFlags,
      env: { ...APP.env, ...environment, PATHWAY_ROLES: "web" },
      printsReadyLine: false,
      logFile: files.logFile(name),
    },
    { restart: true, isReady: () => answersHealthy(url) },
  );
}

/** Starts a further process that only works off jobs. */
export function keepWorker(
  supervisor: Supervisor,
  files: WorldFolder,
  index: number,
  environment: Record<string, string>,
): Promise<KeptProgram> {
  const name = `worker ${index}`;
  return supervisor.keep(
    {
      name,
      ...APP,
      nodeFlags: workerFlags,
      env: { ...APP.env, ...environment, PATHWAY_ROLES: "worker" },
      printsReadyLine: false,
      logFile: files.logFile(name),
    },
    { restart: true },
  );
}

async function answersHealthy(appUrl: string): Promise<void> {
  const answer = await fetch(`${appUrl}/healthz`, { signal: AbortSignal.timeout(10_000) });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`GET /healthz answered ${answer.status}`);
}
