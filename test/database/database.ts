import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, inject } from "vitest";
import { type Database, openDatabase } from "../../app/platform/database/database.ts";
import { createEpochs, type Epochs } from "../../app/platform/encryption/epochs.ts";
import { createKeyFolder } from "../../app/platform/encryption/key-folder.ts";
import type { KeyStore } from "../../app/platform/encryption/key-store.ts";
import { type MasterKeyRing, readMasterKeys } from "../../app/platform/encryption/master-keys.ts";
import { createSealers, type Sealers } from "../../app/platform/encryption/sealers.ts";
import type { Tenancy } from "../../app/ports.ts";
import { createTenancy } from "../../app/tenancy.ts";
import { dataFolder } from "../setup/data-folder.ts";
import { administer, databaseUrl, dropDatabase } from "./administer.ts";

/** A migrated, empty database of a test file's own. */
export interface TestDatabase extends Database {
  url: string;
  masterKeys: MasterKeyRing;
  epochs: Epochs;
  /** The value of PATHWAY_MASTER_KEYS that these keys are read from. */
  masterKeysText: string;
  sealers: Sealers;
  tenancy: Tenancy;
  /** Ends every connection and refuses new ones while `work` runs, as a database that is down would. */
  whileDown<T>(work: () => Promise<T>): Promise<T>;
  /** Ends every connection and lets nothing be written on new ones while `work` runs, as an operator or a host does. */
  whileReadOnly<T>(work: () => Promise<T>): Promise<T>;
}

/** Makes a folder of keys that is removed after the tests of the file. */
export function temporaryKeyFolder(): KeyStore {
  const folder = mkdtempSync(join(dataFolder(), "pathway-keys-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return createKeyFolder(folder);
}

/**
 * Copies the migrated database of this run and opens the copy as the app would. It is closed and dropped after
 * the tests of the file, so call it at the top of a file or of a `describe`.
 */
export async function openTestDatabase(options: { poolSize?: number } = {}): Promise<TestDatabase> {
  const { serverUrl, template } = inject("testDatabase");
  const name = `${template}_${randomUUID().slice(0, 8)}`;
  await administer(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY = FILE_COPY`);
  const url = databaseUrl(serverUrl, name);
  const database = openDatabase({ url, poolSize: options.poolSize ?? 8, onError: () => {} });
  const masterKeysText = `test:${randomBytes(32).toString("base64")}`;
  const masterKeys = readMasterKeys(masterKeysText);
  const epochs = createEpochs(temporaryKeyFolder(), masterKeys);
  const sealers = createSealers(database.pool, masterKeys, epochs);
  const tenancy = createTenancy({ database, sealers, onJobs: () => {} });
  afterAll(async () => {
    await database.close();
    await dropDatabase(serverUrl, name);
  });
  const allowConnections = (allowed: boolean) =>
    administer(serverUrl, `ALTER DATABASE ${name} ALLOW_CONNECTIONS ${allowed}`);
  const endConnections = () =>
    administer(
      serverUrl,
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${name}'`,
    );
  return {
    ...database,
    url,
    masterKeys,
    epochs,
    masterKeysText,
    sealers,
    tenancy,
    async whileDown(work) {
      await allowConnections(false);
      await endConnections();
      try {
        return await work();
      } finally {
        await allowConnections(true);
      }
    },
    async whileReadOnly(work) {
      await administer(serverUrl, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
      await endConnections();
      try {
        return await work();
      } finally {
        await administer(serverUrl, `ALTER DATABASE ${name} RESET default_transaction_read_only`);
      }
    },
  };
}
