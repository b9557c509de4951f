import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, inject } from "vitest";
import { type Database, openDatabase } from "../../app/platform/database/database.ts";
import { type MasterKeyRing, readMasterKeys } from "../../app/platform/encryption/master-keys.ts";
import { createSealers, type Sealers } from "../../app/platform/encryption/sealer.ts";
import type { Tenancy } from "../../app/ports.ts";
import { createTenancy } from "../../app/tenancy.ts";
import { administer, databaseUrl } from "./administer.ts";

/** A migrated, empty database of a test file's own. */
export interface TestDatabase extends Database {
  url: string;
  masterKeys: MasterKeyRing;
  sealers: Sealers;
  tenancy: Tenancy;
  /** Ends every connection and refuses new ones while `work` runs, as a database that is down would. */
  whileDown<T>(work: () => Promise<T>): Promise<T>;
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
  const masterKeys = readMasterKeys(`test:${randomBytes(32).toString("base64")}`);
  const sealers = createSealers(database.pool, masterKeys);
  const tenancy = createTenancy({ database, sealers, onJobs: () => {} });
  afterAll(async () => {
    await database.close();
    await administer(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });
  const allowConnections = (allowed: boolean) =>
    administer(serverUrl, `ALTER DATABASE ${name} ALLOW_CONNECTIONS ${allowed}`);
  return {
    ...database,
    url,
    masterKeys,
    sealers,
    tenancy,
    async whileDown(work) {
      await allowConnections(false);
      await administer(
        serverUrl,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
      );
      try {
        return await work();
      } finally {
        await allowConnections(true);
      }
    },
  };
}
