/** `npm run keys`: shows where the keys stand, and has a level of them replaced while everything runs. */
import { join } from "node:path";
import { recordCommand } from "./commands/open-command.ts";
import { shopDomain } from "./modules/kernel/ids.ts";
import { openDatabase } from "./platform/database/database.ts";
import { isFormerServing } from "./platform/database/served-until.ts";
import { bindKeyStore } from "./platform/encryption/bind-key-store.ts";
import { createEpochs } from "./platform/encryption/epochs.ts";
import { createKeyFolder } from "./platform/encryption/key-folder.ts";
import { readKeyProgress } from "./platform/encryption/key-progress.ts";
import { readMasterKeys } from "./platform/encryption/master-keys.ts";
import { readOwnMasterKeys } from "./platform/encryption/own-master-key.ts";
import { rewrapKeys } from "./platform/encryption/rewrap-keys.ts";
import {
  ROTATIONS,
  type Rotation,
  rotateKeys,
  shopsWithKeys,
} from "./platform/encryption/rotate-keys.ts";
import { createSealers } from "./platform/encryption/sealers.ts";
import { withFiles } from "./platform/env.ts";
import { createLogger } from "./platform/logger.ts";
import { SEALED_COLUMNS } from "./sealed-columns.ts";

const USAGE = `Usage:
  npm run keys                                   where the keys stand
  npm run keys -- rotate master                  wraps every key with the first key of PATHWAY_MASTER_KEYS
  npm run keys -- rotate epochs|shops|patients   replaces the keys of that level
                  [--shop NAME.myshopify.com]    of one shop only`;

const say = (text: string) => process.stdout.write(`${text}\n`);

async function main([command = "status", level, option, name]: string[]): Promise<void> {
  const settings = withFiles(process.env);
  const url = settings.DATABASE_DIRECT_URL || settings.DATABASE_URL;
  const { PATHWAY_DATA_DIR: data = ".data", PATHWAY_KEY_DIR: folder } = settings;
  if (!url) throw new Error("Set DATABASE_URL to the database of the running app.");
  const given = settings.PATHWAY_MASTER_KEYS || readOwnMasterKeys(data);
  if (!given) throw new Error("Set PATHWAY_MASTER_KEYS to what the processes have.");
  const masterKeys = readMasterKeys(given);
  const database = openDatabase({ url, poolSize: 2, onError: () => {} });
  const { pool } = database;
  const logger = createLogger("warn");
  try {
    const client = await pool.connect();
    const store = await bindKeyStore(client, createKeyFolder(folder || join(data, "keys"))).finally(
      () => client.release(),
    );
    const epochs = createEpochs(store, masterKeys);
    const sealers = createSealers(pool, masterKeys, epochs);
    const only = option === "--shop" ? shopDomain(name ?? "") : null;
    if (option && !only) throw new Error(USAGE);
    if (command === "rotate" && (await isFormerServing(pool, store)))
      throw new Error(
        "The database that this one was copied from works with the same folder of keys. Stop it, or give this one a copy of the folder.",
      );
    if (command === "rotate")
      await recordCommand(pool, `keys rotate ${level}`, only ? { only } : {});
    if (command === "rotate" && level === "master") {
      const { rewrapped, unreadable } = await rewrapKeys({ pool, logger }, masterKeys, epochs);
      say(
        `${rewrapped} keys are wrapped by "${masterKeys.activeId}" now; ${unreadable} could not be read.`,
      );
    } else if (command === "rotate") {
      const rotation = ROTATIONS.find((one): one is Rotation => one === level);
      if (!rotation) throw new Error(USAGE);
      const shops = only ? [only] : await shopsWithKeys({ pool });
      for (const [at, shop] of shops.entries()) {
        const ports = { pool, sealers, columns: SEALED_COLUMNS, logger };
        const count = await rotateKeys(ports, shop, rotation);
        say(`${at + 1} of ${shops.length}: ${shop}, ${count} keys`);
      }
      if (rotation !== "epochs")
        say("Workers seal the data anew now. npm run keys shows how far they are.");
    } else if (command === "status") say(await describe(store.place));
    else throw new Error(USAGE);
  } finally {
    await database.close();
  }

  async function describe(place: string): Promise<string> {
    const progress = await readKeyProgress(pool);
    return [
      `Folder of keys: ${place}`,
      `Erasures whose keys still exist somewhere: ${progress.erasures}${
        progress.oldestErasureSeconds === null
          ? ""
          : `, the oldest for ${Math.round(progress.oldestErasureSeconds / 60)} minutes`
      }`,
      `Shops whose data is being sealed anew: ${progress.shops}`,
      `Rows looked at: ${progress.looked}; sealed anew: ${progress.resealed}; opened by no key: ${progress.unreadable}`,
      `Shops with a key of the time before 0.2: ${progress.formerKeys}`,
    ].join("\n");
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
