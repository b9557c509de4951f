/** Where the process begins: `node app/server.ts`. */
import { enableCompileCache, flushCompileCache } from "node:module";
import { fileURLToPath } from "node:url";
import { endOnSignal } from "./platform/end-on-signal.ts";

const endNoMore = endOnSignal();

// Compiling what is imported takes longer than everything else at a start, so it is done once. Kept inside the
// installation, where nobody else may write; where it cannot be kept, each start compiles.
enableCompileCache(fileURLToPath(new URL("../.cache/compiled", import.meta.url)));
const { run } = await import("./process.ts");
await run(endNoMore);
flushCompileCache();
