/** A worker process for P7: says which jobs it has begun, never ends one, and waits for its death. */
import { SHOP, startHost } from "./host.ts";

const url = process.argv[2];
if (!url) throw new Error(`usage: victim DATABASE_URL (for ${SHOP})`);
await startHost(url, (payload) => {
  console.log(JSON.stringify(payload));
  return new Promise(() => {});
});
console.log("ready");
