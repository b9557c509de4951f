import { type Listener, listen } from "../database/listen.ts";
import type { Logger } from "../logger.ts";
import { shopDomain } from "../shop-domain.ts";
import type { Sealers } from "./sealers.ts";
import { KEY_DESTROYED } from "./subject-keys.ts";

/**
 * Makes this process forget data keys that another one has destroyed or replaced: what it sealed with them afterwards
 * could be opened by nobody. Whenever it may have missed something it forgets all keys, which costs a look-up.
 */
export function watchDestroyedKeys(options: {
  databaseUrl: string;
  sealers: Sealers;
  logger: Logger;
}): Listener {
  const { databaseUrl, sealers, logger } = options;
  return listen({
    databaseUrl,
    channel: KEY_DESTROYED,
    logger,
    onMessage(payload) {
      const shop = shopDomain(payload);
      if (shop) sealers.forget(shop);
    },
    onListening: () => sealers.forgetAll(),
  });
}
