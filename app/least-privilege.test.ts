/** Long because every login is tried on one server of its own: making another takes seconds. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { temporaryKeyFolder } from "../test/database/database.ts";
import { startPostgres } from "../tools/embedded-postgres.ts";
import { checkLogins, type DatabaseAccess } from "./database-access.ts";
import { migrateDatabase } from "./migrate-database.ts";
import { createShopEraser } from "./modules/privacy/postgres/shop-eraser.ts";
import { openProcessDatabase } from "./platform/database/database.ts";
import { LOGINS, type Login, loginAs } from "./platform/database/logins.ts";
import { createEpochs } from "./platform/encryption/epochs.ts";
import { readMasterKeys } from "./platform/encryption/master-keys.ts";
import { createSealers } from "./platform/encryption/sealers.ts";
import { enterProcess, readTenantKeys, shopProof } from "./platform/encryption/tenant-key.ts";
import { createLogger } from "./platform/logger.ts";
import { startEngine } from "./queue/engine.ts";
import { watchReadiness } from "./queue/readiness.ts";
import { createTenancy } from "./tenancy.ts";

const ONE = "one.myshopify.com";
const TWO = "two.myshopify.com";
const AUDIT = ["access_log", "access_log_seals", "timeline", "erasures", "tombstones"];

const folder = mkdtempSync(join(tmpdir(), "pathway-roles-"));
const server = await startPostgres({ dir: join(folder, "postgres"), port: 0 });
const asAdministrator = new pg.Client(server.url);
await asAdministrator.connect();
await asAdministrator.query("CREATE ROLE keeper LOGIN CREATEROLE");
await asAdministrator.query("CREATE DATABASE kept OWNER keeper");

const tenantKeysText = `test:${randomBytes(32).toString("base64")}`;
const tenantKeys = readTenantKeys(tenantKeysText);
const tenantKey = [...tenantKeys.values()][0] ?? expect.unreachable();
const ownerUrl = address("keeper", "kept");
await migrateDatabase(ownerUrl, { tenantKeys });
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
  ...{ poolSize: 8, onError: () => {} },
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

function address(user: string, name: string): string {
  const url = new URL(server.url);
  url.username = user;
  url.pathname = `/${name}`;
  return url.href;
}

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

async function shopsSeen(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ shop: string }>("SELECT shop FROM shops ORDER BY 1");
  return rows.map((row) => row.shop);
}

/** Tries statements that must be refused, each in a place to which the transaction can return. */
async function expectRefused(client: pg.Client, statements: string[]): Promise<void> {
  for (const statement of statements) {
    await client.query("SAVEPOINT try");
    await expect(client.query(statement), statement).rejects.toMatchObject({
      code: expect.stringMatching(/^(42501|42P01|28000|0A000|42704|25001|2F003|55000)$/),
    });
    await client.query("ROLLBACK TO try");
  }
}

describe("a login", () => {
  test.each(LOGINS)("%s is nobody special, and owns nothing", async (login) => {
    const { rows } = await asAdministrator.query(
      `SELECT rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication, rolcanlogin FROM pg_roles
       WHERE rolname = $1`,
      [login],
    );
    expect(Object.values(rows[0])).toEqual([false, false, false, false, false, true]);
    const owned = await owner.query("SELECT FROM pg_class WHERE relowner = to_regrole($1)", [
      login,
    ]);
    expect(owned.rowCount).toBe(0);
  });

  test.each(LOGINS)("%s sees no row of any shop by its address alone", async (login) => {
    const client = await logIn(login);
    const { rows: tables } = await owner.query<{ name: string }>(
      `SELECT oid::regclass AS name FROM pg_class
       WHERE relnamespace IN ('public'::regnamespace, 'pgboss'::regnamespace) AND relkind IN ('r', 'p')
         AND relname NOT IN ('_prisma_migrations', 'access_grants', 'database_identity')`,
    );
    expect(tables.length).toBeGreaterThan(50);
    for (const { name } of tables) {
      const seen = await client.query(`SELECT count(*)::int AS n FROM ${name}`).then(
        ({ rows }) => rows[0].n,
        (error: { code: string }) => error.code,
      );
      expect([0, "42501"], name).toContain(seen);
    }
  });

  test.each(LOGINS)("%s can change nothing about the database", async (login) => {
    const client = await logIn(login);
    await enterProcess(client, tenantKey);
    await client.query("BEGIN");
    await expectRefused(client, [
      "ALTER TABLE shops DISABLE ROW LEVEL SECURITY",
      "ALTER TABLE shops NO FORCE ROW LEVEL SECURITY",
      "DROP POLICY own_shop_v1 ON shops",
      "CREATE POLICY mine ON shops USING (true)",
      "DROP TABLE shops",
      "TRUNCATE access_log",
      "CREATE TABLE mine (id int)",
      "CREATE TEMP TABLE shops (shop text)",
      "CREATE SCHEMA mine",
      "CREATE OR REPLACE FUNCTION is_process() RETURNS boolean LANGUAGE sql AS 'SELECT true'",
      "ALTER FUNCTION is_process() OWNER TO CURRENT_USER",
      "GRANT pathway_worker TO CURRENT_USER",
      `ALTER ROLE ${login} SUPERUSER`,
      `ALTER ROLE ${login} BYPASSRLS`,
      "SET ROLE keeper",
      "SET SESSION AUTHORIZATION keeper",
      "SET session_replication_role = replica",
      "SELECT * FROM tenant_keys",
      "SELECT tenant_hmac('context', 'shop')",
      "SELECT is_tenant_proof('process', '')",
      "COPY shops TO PROGRAM 'cat'",
      "SELECT pg_read_file('/etc/passwd')",
      "SELECT * FROM pg_authid",
    ]);
  });

  test.each(LOGINS)("%s cannot change or take away rows of the audit", async (login) => {
    const client = await logIn(login);
    await enterProcess(client, tenantKey);
    await client.query("BEGIN");
    await expectRefused(
      client,
      AUDIT.flatMap((table) => [
        `DELETE FROM ${table}`,
        `UPDATE ${table} SET ${table === "tombstones" ? "subject = ''" : "id = id"}`.replace(
          "access_log_seals SET id = id",
          "access_log_seals SET number = number",
        ),
      ]),
    );
  });

  test("the worker erases no shop that is installed, and another login none", async () => {
    const eraser = createShopEraser(database.pool);
    const times = { askedAt: new Date(), doneAt: new Date() };
    expect(await eraser.erase(TWO, times)).toBeNull();
    expect((await owner.query("SELECT FROM shops")).rowCount).toBe(2);
    const web = await logIn("pathway_web");
    await web.query("BEGIN");
    await expectRefused(web, [`SELECT erase_shop('${TWO}')`]);
    // By its address alone, without the tenant key.
    const worker = await logIn("pathway_worker");
    await worker.query("BEGIN");
    await expectRefused(worker, [
      `SELECT erase_shop('${TWO}')`,
      `SELECT end_tombstones('${TWO}', NULL)`,
    ]);
  });
});

describe("a tenant's transaction", () => {
  test.each(["pathway_web", "pathway_worker"] as const)(
    "of %s sees no other shop, whatever it runs",
    async (login) => {
      const attempts: string[][] = [
        ["RESET ROLE"],
        [`SET ROLE ${login}`],
        [`SELECT set_config('pathway.shop', '${TWO}', true)`],
        [`SET pathway.shop = '${TWO}'`, "RESET ROLE"],
        [
          "RESET ROLE",
          "SELECT set_config('pathway.process', current_setting('pathway.signature'), false)",
        ],
        ["SELECT set_config('pathway.process', 'true', false)", "RESET ROLE"],
        ["RESET pathway.shop", "RESET pathway.signature"],
        ["COMMIT"],
        [
          "COMMIT",
          "BEGIN",
          `SELECT set_config('pathway.shop', '${TWO}', true)`,
          "SET ROLE pathway_tenant",
        ],
        ["ROLLBACK", "DISCARD ALL"],
        ["SET search_path = pg_temp, public", "RESET ROLE"],
      ];
      for (const attempt of attempts) {
        const client = await inTenantTransaction(login);
        for (const statement of attempt) await client.query(statement);
        expect(
          (await shopsSeen(client)).filter((shop) => shop !== ONE),
          attempt.join("; "),
        ).toEqual([]);
      }
    },
  );

  test("cannot enter another shop with what it has", async () => {
    const client = await inTenantTransaction();
    const own = shopProof(tenantKey, ONE);
    await expectRefused(client, [
      `SELECT enter_shop('${TWO}', '${own}')`,
      "SELECT enter_process('')",
    ]);
    await client.query("RESET ROLE");
    await expectRefused(client, [
      `SELECT enter_shop('${TWO}', '${own}')`,
      `SELECT enter_process('${own}')`,
      "SET LOCAL row_security = off; SELECT * FROM shops",
    ]);
  });

  test("has a signature that is of no use to another connection or transaction", async () => {
    const victim = await logIn("pathway_web");
    await victim.query("BEGIN");
    await victim.query("SELECT enter_shop($1, $2)", [TWO, shopProof(tenantKey, TWO)]);
    const { rows } = await victim.query("SELECT current_setting('pathway.signature') AS stolen");
    const use =
      "SELECT set_config('pathway.shop', $1, true), set_config('pathway.signature', $2, true)";
    const client = await inTenantTransaction();
    await client.query(use, [TWO, rows[0].stolen]);
    expect(await shopsSeen(client)).toEqual([]);
    await victim.query("COMMIT");
    await victim.query("BEGIN");
    await victim.query(use, [TWO, rows[0].stolen]);
    await victim.query("SET LOCAL ROLE pathway_tenant");
    expect(await shopsSeen(victim)).toEqual([]);
  });

  test("reads no key but its own shop's, and no other's work", async () => {
    const client = await inTenantTransaction();
    const tables = [
      "tenant_keys",
      "shop_keys",
      "key_store",
      "erasures",
      "pgboss.job",
      "loop_heartbeats",
    ];
    await expectRefused(
      client,
      tables.map((table) => `SELECT * FROM ${table}`),
    );
    const { rows } = await client.query("SELECT DISTINCT shop FROM data_keys");
    expect(rows).toEqual([{ shop: ONE }]);
    await client.query("RESET ROLE");
    for (const table of ["data_keys", "shop_keys", "key_store", "pgboss.job", "sessions", "outbox"])
      expect((await client.query(`SELECT FROM ${table}`)).rowCount, table).toBe(0);
  });

  test("cannot change or take away rows of the audit, before or after it lays down its role", async () => {
    const client = await inTenantTransaction();
    const statements = ["access_log", "timeline"].flatMap((table) => [
      `DELETE FROM ${table}`,
      `UPDATE ${table} SET at = now() - interval '1 day'`,
    ]);
    await expectRefused(client, statements);
    await client.query("RESET ROLE");
    await expectRefused(client, statements);
    const { rows } = await owner.query("SELECT shop FROM access_log ORDER BY 1");
    expect(rows).toEqual([{ shop: ONE }, { shop: TWO }]);
  });
});

test("a process of the former version, which logs in as the owner and proves nothing, still sees its own shop alone", async () => {
  await owner.query("BEGIN");
  await owner.query(
    "SELECT set_config('role', 'pathway_tenant', true), set_config('pathway.shop', $1, true)",
    [ONE],
  );
  expect(await shopsSeen(owner)).toEqual([ONE]);
  await owner.query("ROLLBACK");
});

test("a table without grants is refused to every role", async () => {
  await owner.query("CREATE TABLE forgotten (shop text, secret text)");
  await owner.query("INSERT INTO forgotten VALUES ($1, 'x')", [ONE]);
  onTestFinished(async () => void (await owner.query("DROP TABLE forgotten")));
  for (const isMigrated of [false, true]) {
    if (isMigrated) await migrateDatabase(ownerUrl, { tenantKeys });
    for (const login of LOGINS) {
      const client = await logIn(login);
      await enterProcess(client, tenantKey);
      await client.query("BEGIN");
      await expectRefused(client, ["SELECT * FROM forgotten"]);
    }
    await expectRefused(await inTenantTransaction(), ["SELECT * FROM forgotten"]);
  }
});

describe("a start", () => {
  const roles = ["web", "worker"];
  const start = (changed: Partial<DatabaseAccess> = {}) =>
    checkLogins({ ...access, ...changed }, roles);

  test("goes well with the three logins", async () => {
    await expect(start()).resolves.toBeUndefined();
    const engine = await startEngine({
      ...{ databaseUrl: access.processUrl, tenantKey, poolSize: 2 },
      logger: createLogger("silent"),
    });
    await engine.boss.insert("maintain-shop", [{ data: { shop: ONE } }]);
    await engine.stop();
  });

  test.each([
    ["the owner", { databaseUrl: ownerUrl }, /logs in as keeper.*npm run migrate/],
    ["a superuser", { databaseUrl: address("postgres", "kept") }, /logs in as postgres/],
    ["web's login as a worker", { processUrl: access.databaseUrl }, /DATABASE_WORKER_URL/],
    ["web's login as the intake", { intakeUrl: access.databaseUrl }, /DATABASE_INTAKE_URL/],
    [
      "another tenant key",
      {
        tenantKey:
          [...readTenantKeys(`x:${randomBytes(32).toString("base64")}`).values()][0] ?? tenantKey,
      },
      /PATHWAY_TENANT_KEYS/,
    ],
  ])("with %s is refused in one sentence", async (_what, changed, words) => {
    await expect(start(changed)).rejects.toThrow(words);
  });

  test("on a database that is not migrated says so", async () => {
    await asAdministrator.query("CREATE DATABASE empty OWNER keeper");
    const databaseUrl = loginAs(address("keeper", "empty"), "pathway_web");
    await expect(start({ databaseUrl })).rejects.toThrow(/not at this version.*npm run migrate/);
  });

  test.each([
    [
      "a grant",
      "REVOKE INSERT ON orders FROM pathway_tenant",
      /pathway_tenant lacks INSERT on orders/,
    ],
    ["a policy", "DROP POLICY own_shop_v1 ON orders", /orders has no policy/],
    ["its force", "ALTER TABLE orders NO FORCE ROW LEVEL SECURITY", /orders has no forced/],
    ["the tenant's role", "REVOKE pathway_tenant FROM pathway_web", /cannot be begun/],
  ])("without %s says so, and npm run migrate mends it", async (_what, statement, words) => {
    await owner.query(statement);
    await expect(start()).rejects.toThrow(words);
    await migrateDatabase(ownerUrl, { tenantKeys });
    await expect(start()).resolves.toBeUndefined();
  });
});

test("a process is unready while the database refuses its work, and says why", async () => {
  const looks: (() => string | null)[] = [];
  const readiness = watchReadiness({
    ...{ pool: database.pool, tryTenant: tenancy.tryTenant, everyMs: 50 },
    logger: createLogger("silent"),
    vitals: {
      watch: (look) => void looks.push(look),
      loop: () => ({
        turned() {},
        failed(error) {
          throw error;
        },
      }),
    },
  });
  onTestFinished(() => readiness.stop());
  const reasons = () => looks.flatMap((look) => look() ?? []);
  const faults: [statement: string, reasons: string[]][] = [
    ["REVOKE SELECT ON shops FROM pathway_tenant", ["tenant_refused", "access_changed"]],
    ["REVOKE EXECUTE ON FUNCTION enter_shop(text, text) FROM pathway_web", ["tenant_refused"]],
    ["DROP POLICY own_shop_v1 ON documents", ["access_changed"]],
    [
      "DELETE FROM _prisma_migrations WHERE migration_name LIKE '20261124160000%'",
      ["schema_unknown"],
    ],
    [
      `INSERT INTO outbox (shop, name, singleton_key, payload, created_at)
       VALUES ('${ONE}', 'maintain-shop', 'k', '{}', now() - interval '3 minutes')`,
      ["relay_late"],
    ],
  ];
  const { rows: migrations } = await owner.query("SELECT * FROM _prisma_migrations");
  for (const [statement, wanted] of faults) {
    await expect.poll(reasons).toEqual([]);
    await owner.query(statement);
    await expect.poll(reasons, { message: statement }).toEqual(wanted);
    await owner.query("DELETE FROM outbox");
    for (const row of migrations)
      await owner.query(
        `INSERT INTO _prisma_migrations SELECT * FROM json_populate_record(NULL::_prisma_migrations, $1)
         ON CONFLICT DO NOTHING`,
        [row],
      );
    await migrateDatabase(ownerUrl, { tenantKeys });
  }
  await expect.poll(reasons).toEqual([]);
}, 30_000);

describe("npm run migrate", () => {
  test("is done by one at a time, and the others wait and say so", async () => {
    await asAdministrator.query("CREATE DATABASE twice OWNER keeper");
    const said: string[][] = [[], [], []];
    await Promise.all(
      said.map((lines) =>
        migrateDatabase(address("keeper", "twice"), {
          tenantKeys,
          say: (line) => lines.push(line),
        }),
      ),
    );
    expect(said.filter((lines) => lines.some((line) => /waiting/.test(line)))).toHaveLength(2);
    expect(said.filter((lines) => lines.includes("Applying migrations"))).toHaveLength(1);
    await expect(
      checkLogins(
        { ...access, databaseUrl: loginAs(address("keeper", "twice"), "pathway_web") },
        [],
      ),
    ).resolves.toBeUndefined();
  }, 60_000);

  test("can be tried again after it failed", async () => {
    await asAdministrator.query("CREATE DATABASE failed OWNER keeper");
    const url = address("keeper", "failed");
    const client = new pg.Client(url);
    await client.connect();
    await client.query("CREATE TABLE leases (id int)");
    await expect(migrateDatabase(url)).rejects.toThrow(/could not be migrated/);
    await client.query("DROP TABLE leases");
    await client.end();
    await expect(migrateDatabase(url)).resolves.toBeUndefined();
  }, 60_000);

  test("by an owner that may make no roles names the script for an administrator", async () => {
    await asAdministrator.query("CREATE ROLE poor LOGIN; ");
    await asAdministrator.query("CREATE DATABASE poors OWNER poor");
    const url = address("poor", "poors");
    // The roles of this server are there, and whoever made them decides who is a tenant.
    await expect(migrateDatabase(url)).resolves.toBeUndefined();
    await asAdministrator.query(
      "SET ROLE keeper; REVOKE pathway_tenant FROM pathway_web; RESET ROLE",
    );
    await expect(migrateDatabase(url)).rejects.toThrow(/prisma\/roles\.sql/);
    await asAdministrator.query("SET ROLE keeper; GRANT pathway_tenant TO pathway_web; RESET ROLE");
  }, 60_000);
});
