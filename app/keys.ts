/** `npm run keys`: shows where the keys stand, and has a level of them replaced while everything runs. */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { CommandError, recordCommand, requireOwner } from "./commands/open-command.ts";
import { type ShopDomain, shopDomain } from "./modules/kernel/ids.ts";
import { openDatabase } from "./platform/database/database.ts";
import { isFormerServing } from "./platform/database/served-until.ts";
import { bindKeyStore } from "./platform/encryption/bind-key-store.ts";
import { findUnopened } from "./platform/encryption/check-epochs.ts";
import { askPool } from "./platform/encryption/data-keys.ts";
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
import { errorCode } from "./platform/error-code.ts";
import { KeyDamaged } from "./platform/errors.ts";
import { isKeyTrouble } from "./platform/key-troubles.ts";
import { createLogger } from "./platform/logger.ts";
import { SEALED_COLUMNS } from "./sealed-columns.ts";

const USAGE = `Usage:
  npm run keys                                   where the keys stand
  npm run keys -- rotate master                  wraps every key with the first key of PATHWAY_MASTER_KEYS
  npm run keys -- rotate epochs|shops|patients   replaces the keys of that level
                  [--shop NAME.myshopify.com]    of one shop only`;

const say = (text: string) => process.stdout.write(`${text}\n`);

interface Wish {
  /** Null: to tell where the keys stand. */
  level: Rotation | "master" | null;
  only: ShopDomain | null;
}

/** Reads the call, before anything is opened. Throws `CommandError` for a wrong one. */
function readArguments(args: string[]): Wish | "help" {
  let parsed: { values: { shop?: string; help?: boolean }; positionals: string[] };
  try {
    parsed = parseArgs({
      args,
      allowPositionals: true,
      options: { shop: { type: "string" }, help: { type: "boolean", short: "h" } },
    });
  } catch {
    // An option that nobody knows: the sentence says which there are.
    throw new CommandError(USAGE);
  }
  const { values, positionals } = parsed;
  if (values.help) return "help";
  const [command = "status", level, ...more] = positionals;
  const only = values.shop === undefined ? null : shopDomain(values.shop);
  if (more.length > 0 || (values.shop !== undefined && !only)) throw new CommandError(USAGE);
  if (command === "status" && level === undefined && !only) return { level: null, only };
  if (command !== "rotate") throw new CommandError(USAGE);
  // A master key wraps the keys of all shops.
  if (level === "master" && !only) return { level, only };
  const rotation = ROTATIONS.find((one) => one === level);
  if (!rotation) throw new CommandError(USAGE);
  return { level: rotation, only };
}

/** Does what `npm run keys` is asked for. Returns the exit code. */
async function main(args: string[]): Promise<number> {
  const wish = readArguments(args);
  if (wish === "help") {
    say(USAGE);
    return 0;
  }
  const { level, only } = wish;
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
    await requireOwner(pool);
    const client = await pool.connect();
    const store = await bindKeyStore(client, createKeyFolder(folder || join(data, "keys"))).finally(
      () => client.release(),
    );
    const epochs = createEpochs(store, masterKeys);
    const sealers = createSealers(pool, masterKeys, epochs);
    if (level === null) {
      say(await describe(store.place));
      return 0;
    }
    if (await isFormerServing(pool, store))
      throw new CommandError(
        "The database that this one was copied from works with the same folder of keys. Stop it, or give this one a copy of the folder.",
      );
    const all = await shopsWithKeys({ pool });
    if (only && !all.includes(only)) throw new CommandError(`No shop ${only} has keys here.`);
    await recordCommand(pool, `keys rotate ${level}`, only ? { only } : {});
    if (level === "master") {
      const { rewrapped, unreadable } = await rewrapKeys({ pool, logger }, masterKeys, epochs);
      for (const { shop, epoch, code } of (await findUnopened({ ask: askPool(pool), epochs }))
        .unopened)
        say(`${shop}: epoch ${epoch} can't be opened (${code})`);
      say(
        `${rewrapped} keys are wrapped by "${masterKeys.activeId}" now; ${unreadable} could not be read.`,
      );
      // Nobody may take the old key out yet.
      return unreadable === 0 ? 0 : 1;
    }
    const shops = only ? [only] : all;
    let failed = 0;
    for (const [at, shop] of shops.entries()) {
      const ports = { pool, sealers, columns: SEALED_COLUMNS, logger };
      const done = await rotateKeys(ports, shop, level).then(
        (count) => `${count} keys`,
        (error: unknown) => {
          // Its keys alone are damaged or not here: the other shops' are rotated all the same.
          if (!isKeyTrouble(error)) throw error;
          failed++;
          const { subjects } = error instanceof KeyDamaged ? error : { subjects: [] };
          return ["not done:", errorCode(error), ...subjects].join(" ");
        },
      );
      say(`${at + 1} of ${shops.length}: ${shop}, ${done}`);
    }
    if (level !== "epochs")
      say("Workers seal the data anew now. npm run keys shows how far they are.");
    if (failed > 0)
      say(`${failed} of ${shops.length} shops could not be done: docs/runbooks/keys-unreadable.md`);
    return failed > 0 ? 1 : 0;
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

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(error instanceof CommandError ? 2 : 1);
  },
);
