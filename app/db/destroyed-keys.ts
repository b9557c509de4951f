import pg from "pg";
import { shopDomain } from "../domain/ids.ts";
import type { Logger } from "../lib/logger.ts";
import type { Sealers } from "./sealer.ts";

/** Channel on which the database tells that a shop's data key is no more. */
export const KEY_DESTROYED = "pathway_key_destroyed";

const RECONNECT_MS = 1_000;

/**
 * Makes this process forget data keys that another one has destroyed: what it sealed with them afterwards
 * could be opened by nobody. Whenever it may have missed something it forgets all keys, which costs a look-up.
 */
export function watchDestroyedKeys(options: {
  databaseUrl: string;
  sealers: Sealers;
  logger: Logger;
}): { stop(): Promise<void> } {
  const { databaseUrl, sealers, logger } = options;
  let stopped = false;
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;

  const again = () => {
    client = undefined;
    if (!stopped) timer = setTimeout(connect, RECONNECT_MS);
  };
  const connect = () => {
    const own = new pg.Client({ connectionString: databaseUrl, application_name: "pathway-keys" });
    client = own;
    own.on("error", (error) => logger.warn({ err: error }, "watch of destroyed keys lost"));
    own.on("notification", ({ payload }) => {
      const shop = shopDomain(payload ?? "");
      if (shop) sealers.forget(shop);
    });
    own.once("end", again);
    own
      .connect()
      .then(() => own.query(`LISTEN ${KEY_DESTROYED}`))
      .then(() => sealers.forgetAll())
      .catch(() => own.end().catch(again));
  };
  connect();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await client?.end().catch(() => {});
    },
  };
}
