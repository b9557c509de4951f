import { isFormerServing } from "../platform/database/served-until.ts";
import { checkKeyStore } from "../platform/encryption/bind-key-store.ts";
import { checkEpochs, checkMasterKeys } from "../platform/encryption/check-epochs.ts";
import { askPool } from "../platform/encryption/data-keys.ts";
import type { KeyPorts } from "../platform/encryption/key-ports.ts";
import { maintainKeys } from "../platform/encryption/maintain-keys.ts";
import { countKeyTrouble } from "../platform/key-troubles.ts";
import { regularly } from "./regularly.ts";
import type { Loop } from "./vitals.ts";

export const KEYS_EVERY_MS = 60_000;
/** So many shops of one trouble are named in a line of the log. */
const NAMED = 20;
const FIRST_MS = 2_000;
/** A folder is put in another's place while processes stand still, so that the first look finds most of it. */
const CHECK_EPOCHS_EVERY_MS = 10 * 60_000;

/**
 * Looks every minute whether the folder of keys is still there, which makes a process unready that has lost it, and now and then
 * whether its master keys open them: one that opens none is not ready either, and of some it is told. Workers
 * do what waits for the keys as well: they note erasures outside the database, and end epochs. They do neither while the folder
 * is older than the database, for both would be missing from the right one. Those of a copy wait until its original is
 * silent: a copy on trial beside it would destroy keys that the original has made since.
 */
export function startKeyMaintenance(
  ports: KeyPorts,
  loop: Loop,
  { isWorker, everyMs = KEYS_EVERY_MS }: { isWorker: boolean; everyMs?: number },
): { stop(): void } {
  const { pool, sealers, logger } = ports;
  const ask = askPool(pool);
  const { epochs } = sealers;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let openedAt = Number.NEGATIVE_INFINITY;
  const lookWhetherTheyOpen = async () => {
    if (performance.now() - openedAt < CHECK_EPOCHS_EVERY_MS) return;
    const unopened = await checkMasterKeys({ ask, epochs });
    openedAt = performance.now();
    for (const code of new Set(unopened.map((one) => one.code))) {
      const of = unopened.filter((one) => one.code === code);
      countKeyTrouble({ code });
      logger.error(
        { shops: of.length, code, some: of.slice(0, NAMED) },
        "keys that no master key opens",
      );
    }
  };
  return regularly(loop, { firstMs: Math.min(FIRST_MS, everyMs), everyMs }, async () => {
    await checkKeyStore(pool, sealers.epochs.store);
    await lookWhetherTheyOpen();
    if (!isWorker) return;
    if (await isFormerServing(pool, sealers.epochs.store)) {
      logger.warn("the database that this one was copied from works: no key is ended");
      return;
    }
    if (performance.now() - checkedAt > CHECK_EPOCHS_EVERY_MS) {
      await checkEpochs({ ask, epochs });
      checkedAt = performance.now();
    }
    // Long work is no hanging loop while it goes on.
    await maintainKeys({ ...ports, onStep: loop.turned });
  });
}
