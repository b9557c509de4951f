// The sandbox store as a program: `node sandbox/store/main.ts [--port 4020] [--data DIR|:memory:] [--app-url URL]`.
// One JSON line on standard output when it is ready; everything else on standard error.

import { readOptions, usage } from "./options.ts";
import { type RunningStore, type StoreOptions, startStore } from "./start-store.ts";

function optionsOrExit(): StoreOptions {
  if (process.argv.includes("--help")) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}\n`);
    process.exit(2);
  }
}

async function startOrExit(options: StoreOptions): Promise<RunningStore> {
  try {
    return await startStore(options);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const hint = reason.includes("locked") ? " (another store uses this data folder)" : "";
    process.stderr.write(`The store could not start: ${reason}${hint}\n`);
    process.exit(1);
  }
}

const store = await startOrExit(optionsOrExit());
console.log(JSON.stringify(store.ready));

let stopping = false;
const stop = () => {
  if (stopping) return;
  stopping = true;
  // A client that keeps a connection half open must not keep the process.
  setTimeout(() => process.exit(1), 4_000).unref();
  store.stop().then(
    () => process.exit(0),
    () => process.exit(1),
  );
};
process.on("SIGTERM", stop);
process.on("SIGINT", stop);
