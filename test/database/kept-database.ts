import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, expect, inject, onTestFinished } from "vitest";
import { z } from "zod";
import type { DatabaseAccess } from "../../app/database-access.ts";
import { migrateDatabase } from "../../app/migrate-database.ts";
import { shareConnections } from "../../app/platform/database/connection-shares.ts";
import { openProcessDatabase } from "../../app/platform/database/database.ts";
import { type Login, loginAs } from "../../app/platform/database/logins.ts";
import { createEpochs } from "../../app/platform/encryption/epochs.ts";
import { readMasterKeys } from "../../app/platform/encryption/master-keys.ts";
import { createSealers } from "../../app/platform/encryption/sealers.ts";
import { readTenantKeys, shopProof } from "../../app/platform/encryption/tenant-key.ts";
import { errorCode } from "../../app/platform/error-code.ts";
import { createTenancy } from "../../app/tenancy.ts";
import { eventually } from "../../sandbox/world/eventually.ts";
import { startPostgres } from "../../tools/embedded-postgres.ts";
import { makeDataFolder } from "../setup/data-folder.ts";
import { administer } from "./administer.ts";
import { temporaryKeyFolder } from "./database.ts";

export const ONE = "one.myshopify.com";
export const TWO = "two.myshopify.com";

/**
 * Starts a server of its own, for roles belong to a server, with a database that a role without other rights owns, and two
 * shops in it. Everything ends after the tests of the file.
 */
export async function startKeptDatabase() {
  const folder = makeDataFolder("pathway-roles-");
  const { dir: template, tenantKeysText } = await keptTemplate();
  const server = await startPostgres({ dir: join(folder, "postgres"), port: 0, template });
  const asAdministrator = new pg.Client(server.url);
  await asAdministrator.connect();

  const tenantKeys = readTenantKeys(tenantKeysText);
  const tenantKey = [...tenantKeys.values()][0] ?? expect.unreachable();
  const ownerUrl = keptUrl(server.url);
  const owner = new pg.Client(ownerUrl);
  await owner.connect();

  const access: DatabaseAccess = {
    databaseUrl: loginAs(ownerUrl, "pathway_web"),
    processUrl: loginAs(ownerUrl, "pathway_worker"),
    intakeUrl: loginAs(ownerUrl, "pathway_intake"),
    tenantKey,
  };
  const database = openProcessDatabase({
    ...{ url: access.databaseUrl, processUrl: access.processUrl, tenantKey },
    ...{ connections: shareConnections(8), onError: () => {} },
  });
  const masterKeys = readMasterKeys(`test:${randomBytes(32).toString("base64")}`);
  const sealers = createSealers(
    database.pool,
    masterKeys,
    createEpochs(temporaryKeyFolder(), masterKeys),
  );
  const tenancy = createTenancy({ database, sealers, onJobs: () => {} });
  for (const shop of [ONE, TWO] as const)
    await tenancy.inShop(shop, async (tenant) => {
      await tenant.shops.install("", new Date());
      await tenant.accessLog.add({ at: new Date(), who: "staff", what: "details_viewed" });
    });

  afterAll(async () => {
    await database.close();
    await owner.end();
    await asAdministrator.end();
    await server.stop();
    for (const path of [folder, server.dir]) rmSync(path, { recursive: true, force: true });
  }, 120_000);

  const address = (user: string, name: string) => addressOn(server.url, user, name);

  /** A connection of one login, as whoever has its address would open it. */
  async function logIn(login: Login): Promise<pg.Client> {
    const client = new pg.Client(loginAs(ownerUrl, login));
    await client.connect();
    onTestFinished(() => client.end());
    return client;
  }

  /** A connection that is in the middle of a transaction of shop ONE, as the app begins it. */
  async function inTenantTransaction(login: Login = "pathway_web"): Promise<pg.Client> {
    const client = await logIn(login);
    await client.query("BEGIN");
    await client.query("SELECT enter_shop($1, $2), set_config('role', 'pathway_tenant', true)", [
      ...[ONE, shopProof(tenantKey, ONE)],
    ]);
    expect(await shopsSeen(client)).toEqual([ONE]);
    return client;
  }

  return {
    ...{ asAdministrator, owner, ownerUrl, access, database, tenancy, tenantKeys, tenantKey },
    ...{ address, logIn, inTenantTransaction },
  };
}

const templateSchema = z.object({ dir: z.string(), tenantKeysText: z.string() });
type Template = z.infer<typeof templateSchema>;

/**
 * The folder of a stopped server with that database, migrated, and the keys that it knows. The first file that asks makes it for
 * all files of the run: `initdb` and migrations take longer than most of those files.
 */
async function keptTemplate(): Promise<Template> {
  const place = join(inject("testDatabase").folder, "kept");
  const told = `${place}.json`;
  try {
    mkdirSync(place);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    const read = () => templateSchema.parse(JSON.parse(readFileSync(told, "utf8")));
    return eventually(read, { what: "another file's template", timeoutMs: 300_000 });
  }
  const template = await makeTemplate(join(place, "postgres"));
  writeFileSync(`${told}.new`, JSON.stringify(template));
  renameSync(`${told}.new`, told);
  return template;
}

async function makeTemplate(folder: string): Promise<Template> {
  const { url, dir, stop } = await startPostgres({ dir: folder, port: 0 });
  await administer(url, "CREATE ROLE keeper LOGIN CREATEROLE");
  await administer(url, "CREATE DATABASE kept OWNER keeper");
  const tenantKeysText = `test:${randomBytes(32).toString("base64")}`;
  await migrateDatabase(keptUrl(url), { tenantKeys: readTenantKeys(tenantKeysText) });
  await stop();
  return { dir, tenantKeysText };
}

const keptUrl = (serverUrl: string) => addressOn(serverUrl, "keeper", "kept");

function addressOn(serverUrl: string, user: string, name: string): string {
  const url = new URL(serverUrl);
  url.username = user;
  url.pathname = `/${name}`;
  return url.href;
}

/** The shops that a connection sees at the moment. */
export async function shopsSeen(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ shop: string }>("SELECT shop FROM shops ORDER BY 1");
  return rows.map((row) => row.shop);
}

/** Tries statements that must be refused, each in a place to which the transaction can return. */
export async function expectRefused(client: pg.Client, statements: string[]): Promise<void> {
  for (const statement of statements) {
    await client.query("SAVEPOINT try");
    await expect(client.query(statement), statement).rejects.toMatchObject({
      code: expect.stringMatching(/^(42501|42P01|28000|0A000|42704|25001|2F003|55000)$/),
    });
    await client.query("ROLLBACK TO try");
  }
}
