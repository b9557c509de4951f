import type { ShopDomain } from "../shop-domain.ts";
import type { Ask } from "./data-keys.ts";
import type { Epochs } from "./epochs.ts";
import { MASTER_KEY_MISSING } from "./master-keys.ts";
import { shopErasedAt } from "./recover-keys.ts";
import { epochsOf } from "./replace-epoch.ts";

/**
 * Throws `KeyFolderOlder` where the database names an epoch that is newer than every one in the folder of keys: a copy of
 * last week stands in the folder's place. Keys that ended then, and erasures noted then, would be missing from the folder
 * as it is once it is put back. A shop that was erased after its last epoch began lacks that rightly. Reads the folder once for
 * each shop.
 */
export async function checkEpochs({ ask, epochs }: { ask: Ask; epochs: Epochs }): Promise<void> {
  const rows = await lastEpochs(ask);
  let missing = 0;
  for (const { shop, last, madeAt } of rows) {
    if (!(await isOlder(epochs, shop, last))) continue;
    const erasedAt = await shopErasedAt(epochs, shop);
    if (erasedAt && madeAt < erasedAt) continue;
    // Another process may have ended it meanwhile.
    const [now] = (await epochsOf(ask, shop)).toReversed();
    if (now && (await isOlder(epochs, shop, now))) missing++;
  }
  if (missing > 0) throw new KeyFolderOlder(missing, rows.length, epochs.store.place);
}

/** A shop whose newest epoch no master key of this process opens, and why. */
export interface Unopened {
  shop: ShopDomain;
  epoch: string;
  code: "master_key_missing" | "epoch_damaged";
}

/**
 * Finds the shops whose keys no master key of this process opens. The master key was taken out too early, or has other
 * bytes than in other processes; it was added and this process not started again; or the file of the epoch is damaged.
 */
export async function findUnopened({ ask, epochs }: { ask: Ask; epochs: Epochs }): Promise<{
  unopened: Unopened[];
  opened: number;
}> {
  const unopened: Unopened[] = [];
  let opened = 0;
  for (const { shop, last: epoch } of await lastEpochs(ask)) {
    const code = await epochs.unopened(shop, epoch);
    if (code) unopened.push({ shop, epoch, code });
    else if ((await epochs.list(shop)).includes(epoch)) opened++;
  }
  return { unopened, opened };
}

/** As `findUnopened`. Throws `MasterKeysUnfit` when these are all shops, for then the process serves nobody. */
export async function checkMasterKeys(ports: { ask: Ask; epochs: Epochs }): Promise<Unopened[]> {
  const { unopened, opened } = await findUnopened(ports);
  if (unopened.length > 0 && opened === 0) throw new MasterKeysUnfit();
  return unopened;
}

const lastEpochs = (ask: Ask) =>
  ask<{ shop: ShopDomain; last: string; madeAt: Date }>(
    `SELECT DISTINCT ON (shop) shop, epoch AS last, made_at AS "madeAt" FROM key_epochs
     ORDER BY shop, epoch DESC`,
    [],
  );

async function isOlder(epochs: Epochs, shop: ShopDomain, last: string): Promise<boolean> {
  const newest = (await epochs.list(shop)).at(-1);
  return !newest || newest < last;
}

class KeyFolderOlder extends Error {
  readonly code = "key_folder_older";
  constructor(missing: number, all: number, place: string) {
    super(
      `${place} lacks the keys of ${missing} of ${all} shops: it is older than the database. Put the folder as it was last in its place; until then no key ends.`,
    );
    this.name = "KeyFolderOlder";
  }
}

class MasterKeysUnfit extends Error {
  readonly code = MASTER_KEY_MISSING;
  constructor() {
    super("PATHWAY_MASTER_KEYS opens the keys of no shop: this process can serve nobody");
    this.name = "MasterKeysUnfit";
  }
}
