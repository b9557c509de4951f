// The sandbox store as a program: `node sandbox/store/main.ts [--port 4020] [--data DIR|:memory:] [--app-url URL]`.
// One JSON line on standard output when it is ready; everything else on standard error.

import { parseArgs } from "node:util";
import { startStore } from "./start-store.ts";

const OPTIONS = {
  port: { type: "string", default: "4020" },
  data: { type: "string", default: ":memory:" },
  "app-url": { type: "string" },
  "smtp-port": { type: "string", default: "0" },
  "retry-scale": { type: "string" },
  accounts: { type: "string" },
} as const;
const USAGE =
  "npm run store -- [--port 4020] [--data DIR|:memory:] [--app-url URL] [--smtp-port N] [--accounts new|legacy]";
const { values } = readOptions();

function readOptions() {
  if (process.argv.includes("--help")) {
    process.stdout.write(`${USAGE}\n`);
    process.exit(0);
  }
  try {
    return parseArgs({ options: OPTIONS });
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}\n`);
    process.exit(2);
  }
}

const store = await startStore({
  port: Number(values.port),
  dataDirectory: values.data === ":memory:" ? null : values.data,
  appUrl: values["app-url"] ?? null,
  accounts: values.accounts === "legacy" || values.accounts === "new" ? values.accounts : undefined,
  smtpPort: Number(values["smtp-port"]),
  retryScale: values["retry-scale"] === undefined ? undefined : Number(values["retry-scale"]),
});
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
