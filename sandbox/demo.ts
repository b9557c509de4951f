/**
 * The whole world on one machine: database, referral service, store and app, with one purchase played through it.
 *
 *     node sandbox/demo.ts               fixed ports, kept data (.data/demo), one purchase, then stays
 *     node sandbox/demo.ts --once        free ports, throw-away data, one purchase; the last line on standard output is JSON
 *     node sandbox/demo.ts --headless    the same without a purchase: one JSON line, then stays
 *
 * Standard output holds the JSON lines (or, for the plain demo, what a person reads); everything else is standard error.
 */
import { readArguments, USAGE, type WorldOptions } from "./world/arguments.ts";
import { farewell } from "./world/farewell.ts";
import { playPurchase } from "./world/journey/purchase.ts";
import { setUp } from "./world/journey/set-up.ts";
import { openWorld } from "./world/open-world.ts";
import { awaitEndOfParent } from "./world/parent-watch.ts";
import { startReaper } from "./world/reaper-client.ts";
import type { OnceLine } from "./world/trail.ts";
import { reasonOf, startTrail } from "./world/trail.ts";
import type { WorldLine } from "./world/world-line.ts";

const options = readOptions();
const tell = (line: string) => process.stderr.write(`${line}\n`);
const print = (line: unknown) =>
  console.log(typeof line === "string" ? line : JSON.stringify(line));

// The reader of our output may leave before us; that is no reason to end.
process.stderr.on("error", () => {});

const reaper = startReaper();
const { world: opening, supervisor } = openWorld({ options, reaper, say: tell });
let ending: Promise<never> | undefined;

/** The only way out: nothing is started again, the reaper ends everything, then we go. */
function end(exitCode: number): Promise<never> {
  ending ??= (async () => {
    supervisor.stopStarting();
    let code = exitCode;
    await reaper.finish().catch((error: unknown) => {
      tell(reasonOf(error));
      code = 1;
    });
    process.exit(code);
  })();
  return ending;
}

/** A waiting demo is ended by a signal in the ordinary course; a demo with steps to take is interrupted by it. */
let exitCodeOnSignal = 1;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => void end(exitCodeOnSignal));
awaitEndOfParent(() => void end(1));
for (const event of ["uncaughtException", "unhandledRejection"] as const)
  process.on(event, (error: unknown) => {
    tell(`The world broke: ${error instanceof Error ? error.stack : String(error)}`);
    void end(1);
  });

try {
  await run();
} catch (error) {
  if (ending === undefined) tell(`\n${supervisor.lastWords()}\n\n${reasonOf(error)}`);
  await end(1);
}

async function run(): Promise<void> {
  const trail = startTrail(options.mode === "stay" ? print : tell);
  const world = await trail.step(
    "Database, referral service, store and app are running",
    () => opening,
  );
  if (options.mode === "headless") {
    const products = options.uninstalled ? [] : (await setUp(world, trail, options)).products;
    const line: WorldLine = {
      app_url: world.appUrl,
      web_urls: world.webUrls,
      service: world.service,
      store: world.store,
      database_url: world.databaseUrl,
      owner_database_url: world.ownerDatabaseUrl,
      products,
      processes: world.processes(),
      supervisor_url: world.supervisorUrl,
      admin_urls: world.adminUrls,
      audit_dir: world.auditDir,
    };
    print(line);
    exitCodeOnSignal = 0;
    return;
  }

  const { played, shopperEmail } = await playPurchase(await setUp(world, trail, options), trail);
  if (options.mode === "once") {
    const line: OnceLine = { ...played, elapsed_ms: trail.elapsedMs(), steps: [...trail.steps] };
    print(line);
    await end(0);
  }
  print(farewell({ world, shopperEmail, elapsedMs: trail.elapsedMs() }));
  exitCodeOnSignal = 0;
}

function readOptions(): WorldOptions {
  if (process.argv.includes("--help")) {
    process.stdout.write(`${USAGE}\n`);
    process.exit(0);
  }
  try {
    return readArguments(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${reasonOf(error)}\n${USAGE}\n`);
    process.exit(2);
  }
}
