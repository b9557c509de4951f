/** Long because each privilege that a start or a migration may lack has its own test. */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { administer } from "../test/database/administer.ts";
import { ONE, startKeptDatabase } from "../test/database/kept-database.ts";
import { makeDataFolder } from "../test/setup/data-folder.ts";
import { CommandError } from "./commands/open-command.ts";
import { runAffected } from "./commands/run-affected.ts";
import { checkLogins, type DatabaseAccess } from "./database-access.ts";
import { migrateDatabase } from "./migrate-database.ts";
import { openProcessPool } from "./platform/database/database.ts";
import { loginAs } from "./platform/database/logins.ts";
import { readTenantKeys } from "./platform/encryption/tenant-key.ts";
import { createLogger } from "./platform/logger.ts";
import { startEngine } from "./queue/engine.ts";
import { watchReadiness } from "./queue/readiness.ts";

const {
  asAdministrator,
  owner,
  ownerUrl,
  access,
  database,
  tenancy,
  tenantKeys,
  tenantKey,
  address,
} = await startKeptDatabase();

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

  test("as a login that the server has not, as one that was never migrated, names npm run migrate", async () => {
    await expect(start({ databaseUrl: address("pathway_absent", "kept") })).rejects.toThrow(
      /role "pathway_absent" does not exist \(28000\).*"npm run migrate".*these passwords/,
    );
  });

  test("without the tenant's role at all names npm run migrate", async () => {
    await asAdministrator.query("ALTER ROLE pathway_tenant RENAME TO former_tenant");
    onTestFinished(async () => {
      await asAdministrator.query("ALTER ROLE former_tenant RENAME TO pathway_tenant");
    });
    await expect(start()).rejects.toThrow(
      /^The database's access is not as it should be \(.*\): run "npm run migrate"/,
    );
  });

  test.each([
    ["an earlier", "version - 1", /job engine's tables are of version .*run "npm run migrate"/],
    ["a later", "version + 1", /job engine's tables are of a later version .*than this process/],
  ])("on tables of %s version of the job engine says so", async (_what, version, words) => {
    const { rows } = await owner.query("SELECT version FROM pgboss.version");
    await owner.query(`UPDATE pgboss.version SET version = ${version}`);
    onTestFinished(async () => {
      await owner.query("UPDATE pgboss.version SET version = $1", [rows[0]?.version]);
    });
    await expect(start()).rejects.toThrow(words);
  });

  test("whose addresses lead to two databases, as when one of them still names the former server, is refused", async () => {
    await asAdministrator.query("CREATE DATABASE former OWNER keeper");
    await migrateDatabase(address("keeper", "former"), { tenantKeys });
    const former = (login: "pathway_worker" | "pathway_intake") =>
      loginAs(address("keeper", "former"), login);
    await expect(start({ intakeUrl: former("pathway_intake") })).rejects.toThrow(
      /^DATABASE_INTAKE_URL, .*another database than DATABASE_URL/,
    );
    await expect(start({ processUrl: former("pathway_worker") })).rejects.toThrow(
      /^DATABASE_WORKER_URL or DATABASE_URL, .*another database/,
    );
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
    [
      "a function of every tenant's transaction",
      "REVOKE EXECUTE ON FUNCTION refuse_another_database(boolean, boolean) FROM pathway_web",
      /pathway_web lacks EXECUTE on refuse_another_database/,
    ],
    ...["outbox", "timeline", "inbox"].map((table): [string, string, RegExp] => [
      `the numbers of ${table}`,
      `REVOKE USAGE ON SEQUENCE ${table}_id_seq FROM pathway_tenant`,
      new RegExp(`pathway_tenant lacks USAGE on ${table}_id_seq`),
    ]),
    [
      "a column's grant",
      "REVOKE SELECT (address_hash) ON connections FROM pathway_intake",
      /pathway_intake lacks SELECT on connections\(address_hash\)/,
    ],
    [
      "the job engine's schema",
      "REVOKE USAGE ON SCHEMA pgboss FROM pathway_worker",
      /pathway_worker lacks USAGE on schema pgboss/,
    ],
    [
      "what compares",
      "REVOKE EXECUTE ON FUNCTION present_access() FROM pathway_web",
      /access is not as it should be.*present_access/,
    ],
    [
      "a policy",
      "DROP POLICY own_shop_v1 ON orders",
      /orders has not the policy own_shop_v1 that it was given/,
    ],
    [
      "a policy of processes",
      "DROP POLICY process_v1 ON outbox",
      /outbox has not the policy process_v1 that/,
    ],
    [
      "what a policy says",
      "ALTER POLICY own_shop_v1 ON orders USING (false)",
      /orders has not the policy own_shop_v1 that/,
    ],
    [
      "what a policy lets write",
      "ALTER POLICY own_shop_v1 ON orders WITH CHECK (false)",
      /orders has not the policy own_shop_v1 that/,
    ],
    [
      "all for whom a policy is",
      "ALTER POLICY process_v1 ON inbox TO pathway_web",
      /inbox has not the policy process_v1 that/,
    ],
    [
      "its policies alone",
      "CREATE POLICY hidden ON orders AS RESTRICTIVE USING (false)",
      /orders has a policy hidden that it was not given/,
    ],
    ["its force", "ALTER TABLE orders NO FORCE ROW LEVEL SECURITY", /orders has no forced/],
    ["the tenant's role", "REVOKE pathway_tenant FROM pathway_web", /cannot be begun/],
  ])("without %s says so, and npm run migrate mends it", async (_what, statement, words) => {
    const policies = async () =>
      (await owner.query("SELECT * FROM pg_policies ORDER BY schemaname, tablename, policyname"))
        .rows;
    const before = await policies();
    await owner.query(statement);
    await expect(start()).rejects.toThrow(words);
    await migrateDatabase(ownerUrl, { tenantKeys });
    await expect(start()).resolves.toBeUndefined();
    expect(await policies()).toEqual(before);
  });
});

describe("a migration", () => {
  const migrateAs = (user: string, name: string) => migrateDatabase(address(user, name));
  const inDatabase = (name: string, statement: string) =>
    administer(address("postgres", name), statement);

  test("by a process's login is refused in one sentence, before it changes anything", async () => {
    await expect(migrateAs("pathway_web", "kept")).rejects.toThrow(
      /^The tables of this database belong to keeper, and pathway_web may not change them: log in as keeper\.$/,
    );
  });

  test("of a database that takes no writes, such as a standby, is refused in one sentence", async () => {
    await asAdministrator.query("ALTER DATABASE kept SET default_transaction_read_only = on");
    onTestFinished(async () => {
      await asAdministrator.query("ALTER DATABASE kept RESET default_transaction_read_only");
    });
    await expect(migrateAs("keeper", "kept")).rejects.toThrow(
      /^kept takes no writes here: migrate the primary, or promote this server first\.$/,
    );
  });

  test("of a new database that can't write every name is refused in one sentence", async () => {
    await asAdministrator.query(
      "CREATE DATABASE latin OWNER keeper TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'",
    );
    await expect(migrateAs("keeper", "latin")).rejects.toThrow(
      /^latin is encoded in LATIN1, .*ENCODING 'UTF8'/,
    );
  });

  test("names the remedy where row-level security refuses statements instead of narrowing them", async () => {
    await asAdministrator.query("CREATE DATABASE open OWNER keeper");
    await asAdministrator.query("ALTER DATABASE open SET row_security = off");
    await expect(migrateAs("keeper", "open")).rejects.toThrow(
      /^row_security is off in open, .*ALTER DATABASE open SET row_security = on/,
    );
    await asAdministrator.query("ALTER DATABASE open SET row_security = on");
    await migrateAs("keeper", "open");
  });

  test("makes what processes need, whatever the database was given", async () => {
    await asAdministrator.query("CREATE DATABASE odd OWNER keeper");
    for (const setting of [
      "standard_conforming_strings = off",
      "search_path = nowhere",
      "default_transaction_isolation = serializable",
      "bytea_output = escape",
      "IntervalStyle = sql_standard",
      "DateStyle = German",
    ])
      await asAdministrator.query(`ALTER DATABASE odd SET ${setting}`);
    await migrateDatabase(address("keeper", "odd"), { tenantKeys });
    const [databaseUrl, processUrl, intakeUrl] = (
      ["pathway_web", "pathway_worker", "pathway_intake"] as const
    ).map((login) => loginAs(address("keeper", "odd"), login));
    await expect(
      checkLogins(
        {
          databaseUrl: databaseUrl ?? "",
          processUrl: processUrl ?? "",
          intakeUrl: intakeUrl ?? "",
          tenantKey,
        },
        ["web", "worker"],
      ),
    ).resolves.toBeUndefined();
  });

  test("says that indexes have to be made anew where texts sort otherwise since they were made", async () => {
    await asAdministrator.query(
      "CREATE DATABASE sorted OWNER keeper TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en' LOCALE 'C'",
    );
    const said: string[] = [];
    const sorted = address("keeper", "sorted");
    const migrate = () => migrateDatabase(sorted, { tenantKeys, say: (line) => said.push(line) });
    await migrate();
    await asAdministrator.query(
      "UPDATE pg_database SET datcollversion = '0' WHERE datname = 'sorted'",
    );
    said.length = 0;
    await migrate();
    expect(said.join()).toMatch(/REINDEX DATABASE sorted.*REFRESH COLLATION VERSION/);
    const itsOwner = new pg.Client(sorted);
    await itsOwner.connect();
    onTestFinished(() => itsOwner.end());
    for (const [, statement = ""] of said.join().matchAll(/"((?:REINDEX|ALTER)[^"]*)"/g))
      await itsOwner.query(statement);
    said.length = 0;
    await migrate();
    expect(said).toEqual(["The database is at this version."]);
  });

  test("makes no policy anew that is as it was made, for that locks its table", async () => {
    const made = async () => (await owner.query("SELECT oid FROM pg_policy ORDER BY 1")).rows;
    const before = await made();
    await migrateAs("keeper", "kept");
    expect(await made()).toEqual(before);
    await owner.query("ALTER POLICY own_shop_v1 ON orders USING (true)");
    await migrateAs("keeper", "kept");
    const known = before.map(({ oid }) => oid);
    expect((await made()).filter(({ oid }) => !known.includes(oid))).toHaveLength(1);
  });

  test("of somebody else's empty database is refused in one sentence", async () => {
    await asAdministrator.query("CREATE ROLE stranger LOGIN CREATEROLE");
    await asAdministrator.query("CREATE DATABASE theirs OWNER keeper");
    await expect(migrateAs("stranger", "theirs")).rejects.toThrow(
      /^stranger may not make tables in theirs that others may use: log in as keeper, who owns it, or run "ALTER DATABASE theirs OWNER TO stranger"\.$/,
    );
  });

  test("by a login that may make tables, and let nobody use them, is refused as that of a stranger", async () => {
    await asAdministrator.query("CREATE ROLE guest LOGIN CREATEROLE");
    await asAdministrator.query("CREATE DATABASE shut");
    await inDatabase(
      "shut",
      `REVOKE ALL ON SCHEMA public FROM PUBLIC;
       GRANT CREATE ON DATABASE shut TO guest; GRANT ALL ON SCHEMA public TO guest`,
    );
    await expect(migrateAs("guest", "shut")).rejects.toThrow(
      /^guest may not make tables in shut that others may use: log in as postgres, who owns it, or run "ALTER DATABASE shut OWNER TO guest"\.$/,
    );
    await asAdministrator.query("ALTER DATABASE shut OWNER TO guest");
    await expect(migrateAs("guest", "shut")).resolves.toBeUndefined();
  });

  test("by the owner of a database whose schema is an administrator's, as of an old server, names what mends it", async () => {
    await asAdministrator.query("CREATE DATABASE aged OWNER keeper");
    await inDatabase("aged", "ALTER SCHEMA public OWNER TO postgres");
    const refused = await migrateAs("keeper", "aged").catch(String);
    expect(refused).toMatch(
      /keeper may not make tables in aged.*: have an administrator run "ALTER SCHEMA public OWNER TO keeper"\.$/,
    );
    await inDatabase("aged", /"(.*)"/.exec(String(refused))?.[1] ?? "");
    await expect(migrateAs("keeper", "aged")).resolves.toBeUndefined();
  });
});

test("what an administrator put into the database, such as an extension, keeps nobody from it", async () => {
  const administrator = new pg.Client(address("postgres", "kept"));
  await administrator.connect();
  const things = ["FUNCTION reset_figures()", "VIEW figures", "TABLE notes"];
  onTestFinished(async () => {
    await administrator.query(`DROP ${things.join("; DROP ")}`);
    await administrator.end();
  });
  await administrator.query(
    `CREATE FUNCTION reset_figures() RETURNS void LANGUAGE sql AS 'SELECT';
     REVOKE EXECUTE ON FUNCTION reset_figures() FROM PUBLIC;
     CREATE VIEW figures AS SELECT 1 AS n; CREATE TABLE notes (shop text)`,
  );
  await migrateDatabase(ownerUrl, { tenantKeys });
  await expect(checkLogins(access, ["web", "worker"])).resolves.toBeUndefined();
  const web = new pg.Client(access.databaseUrl);
  await web.connect();
  await expect(web.query("SELECT * FROM notes")).rejects.toMatchObject({ code: "42501" });
  await web.end();
  // A table of Pathway's that somebody else has taken is another matter.
  await administrator.query("ALTER TABLE orders OWNER TO postgres");
  await administrator.query("ALTER TABLE orders NO FORCE ROW LEVEL SECURITY");
  await expect(checkLogins(access, ["web", "worker"])).rejects.toThrow(/orders has no forced/);
  await expect(migrateDatabase(ownerUrl, { tenantKeys })).rejects.toThrow(
    /orders belongs to postgres: an administrator has to run "ALTER TABLE orders OWNER TO keeper"/,
  );
  await administrator.query("ALTER TABLE orders FORCE ROW LEVEL SECURITY");
  await administrator.query("ALTER TABLE orders OWNER TO keeper");
  await migrateDatabase(ownerUrl, { tenantKeys });
});

test("a process is unready while the database refuses its work, and says why", async () => {
  const looks: (() => string | null)[] = [];
  const messages = openProcessPool({
    ...{ url: access.intakeUrl, tenantKey, poolSize: 2, onError: () => {} },
  });
  const readiness = watchReadiness({
    ...{ pool: database.pool, tryTenant: tenancy.tryTenant, everyMs: 50 },
    intake: { pool: messages, isFailing: () => false },
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
  onTestFinished(async () => {
    readiness.stop();
    await messages.end();
  });
  const reasons = () => looks.flatMap((look) => look() ?? []);
  const faults: [statement: string, reasons: string[]][] = [
    ["REVOKE SELECT ON shops FROM pathway_tenant", ["tenant_refused", "access_changed"]],
    ["REVOKE EXECUTE ON FUNCTION enter_shop(text, text) FROM pathway_web", ["tenant_refused"]],
    [
      "REVOKE EXECUTE ON FUNCTION refuse_another_database(boolean, boolean) FROM pathway_web",
      ["tenant_refused"],
    ],
    ["REVOKE USAGE ON SEQUENCE outbox_id_seq FROM pathway_tenant", ["access_changed"]],
    ["REVOKE SELECT (address_hash) ON connections FROM pathway_intake", ["access_changed"]],
    ["DROP POLICY own_shop_v1 ON documents", ["access_changed"]],
    ["DROP POLICY process_v1 ON outbox", ["access_changed"]],
    ["ALTER POLICY own_shop_v1 ON orders USING (false)", ["access_changed"]],
    ["CREATE POLICY hidden ON orders AS RESTRICTIVE USING (false)", ["access_changed"]],
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
});

test("a process that gets no connection says so, and not that the database has to be migrated", async () => {
  const looks: (() => string | null)[] = [];
  const readiness = watchReadiness({
    ...{ pool: database.pool, tryTenant: tenancy.tryTenant, everyMs: 50 },
    logger: createLogger("silent"),
    vitals: {
      watch: (look) => void looks.push(look),
      loop: () => ({ turned() {}, failed() {} }),
    },
  });
  onTestFinished(async () => {
    readiness.stop();
    await asAdministrator.query("ALTER ROLE pathway_web CONNECTION LIMIT -1");
  });
  const reasons = () => looks.flatMap((look) => look() ?? []);
  await expect.poll(reasons).toEqual([]);
  await asAdministrator.query("ALTER ROLE pathway_web CONNECTION LIMIT 0");
  await asAdministrator.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'pathway_web'",
  );
  const seen = new Set<string>();
  await expect
    .poll(() => {
      for (const reason of reasons()) seen.add(reason);
      return reasons();
    })
    .toContain("database_unreachable");
  expect([...seen]).toEqual(["database_unreachable"]);
  await asAdministrator.query("ALTER ROLE pathway_web CONNECTION LIMIT -1");
  await expect.poll(reasons).toEqual([]);
});

test("a process whose intake alone gets no connection says so: it would be ready, and take no message", async () => {
  const looks: (() => string | null)[] = [];
  const pool = openProcessPool({
    ...{ url: access.intakeUrl, tenantKey, poolSize: 2, onError: () => {} },
  });
  const readiness = watchReadiness({
    ...{
      pool: database.pool,
      intake: { pool, isFailing: () => false },
      tryTenant: tenancy.tryTenant,
      everyMs: 50,
    },
    logger: createLogger("silent"),
    vitals: {
      watch: (look) => void looks.push(look),
      loop: () => ({ turned() {}, failed() {} }),
    },
  });
  onTestFinished(async () => {
    readiness.stop();
    await asAdministrator.query("ALTER ROLE pathway_intake LOGIN");
    await pool.end();
  });
  const reasons = () => looks.flatMap((look) => look() ?? []);
  await expect.poll(() => pool.totalCount).toBe(1);
  expect(reasons()).toEqual([]);
  await asAdministrator.query("ALTER ROLE pathway_intake NOLOGIN");
  await asAdministrator.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'pathway_intake'",
  );
  await expect.poll(reasons).toEqual(["database_unreachable"]);
  await asAdministrator.query("ALTER ROLE pathway_intake LOGIN");
  await expect.poll(reasons).toEqual([]);
});

test("npm run affected names the grant that an owner lacks who may not act for a shop", async () => {
  const folder = makeDataFolder("pathway-affected-");
  const file = join(folder, "contacts.json");
  vi.stubEnv("PATHWAY_MASTER_KEYS", `test:${randomBytes(32).toString("base64")}`);
  await owner.query("REVOKE pathway_tenant FROM keeper");
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
    await migrateDatabase(ownerUrl, { tenantKeys });
  });
  const given = ["--database-url", ownerUrl, "--shop", ONE, "--since", "2026-03-01"];
  await expect(runAffected([...given, "--contacts", file], () => {})).rejects.toThrow(
    new CommandError(
      'keeper may not act for a shop: have an administrator of the server run "GRANT pathway_tenant TO keeper".',
    ),
  );
  expect(existsSync(file)).toBe(false);
  await owner.query("GRANT pathway_tenant TO keeper");
  vi.stubEnv("PATHWAY_KEY_DIR", join(folder, "keys"));
  expect(await runAffected([...given, "--contacts", file], () => {})).toBe(0);
});

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
    const databaseUrl = loginAs(address("keeper", "twice"), "pathway_web");
    await expect(
      checkLogins({ ...access, databaseUrl, processUrl: databaseUrl }, []),
    ).resolves.toBeUndefined();
  });

  test("gives the logins their passwords while another database of the server does so, too", async () => {
    onTestFinished(async () => {
      await asAdministrator.query("ROLLBACK; ALTER ROLE pathway_web PASSWORD NULL");
    });
    await asAdministrator.query("BEGIN; ALTER ROLE pathway_web PASSWORD 'theirs'");
    const migrated = migrateDatabase(ownerUrl, { tenantKeys, passwords: { pathway_web: "ours" } });
    const waiting = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
    await expect.poll(async () => (await owner.query(waiting)).rowCount).toBe(1);
    await asAdministrator.query("COMMIT");
    await expect(migrated).resolves.toBeUndefined();
  });

  test("says that it was given none of the keys that processes prove themselves with", async () => {
    await asAdministrator.query("CREATE DATABASE rekeyed OWNER keeper");
    const migrateWith = async (text: string) => {
      const said: string[] = [];
      const keys = readTenantKeys(text);
      await migrateDatabase(address("keeper", "rekeyed"), {
        tenantKeys: keys,
        say: (line) => said.push(line),
      });
      return said.some((line) => /PATHWAY_TENANT_KEYS has none of the keys/.test(line));
    };
    const [former, next, other] = [0, 1, 2].map((byte) =>
      Buffer.alloc(32, byte).toString("base64"),
    );
    expect(await migrateWith(`one:${former}`)).toBe(false);
    expect(await migrateWith(`two:${next},one:${former}`)).toBe(false);
    expect(await migrateWith(`two:${next}`)).toBe(false);
    // The name alone is not the key.
    expect(await migrateWith(`two:${other}`)).toBe(true);
    expect(await migrateWith(`two:${other}`)).toBe(false);
  });

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
  });

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
    const isTenant = async () =>
      (await asAdministrator.query("SELECT pg_has_role('poor', 'pathway_tenant', 'SET') AS it"))
        .rows;
    expect(await isTenant()).toEqual([{ it: false }]);
    const administrator = new pg.Client(address("postgres", "poors"));
    await administrator.connect();
    onTestFinished(() => administrator.end());
    await administrator.query(readFileSync("prisma/roles.sql", "utf8"));
    expect(await isTenant()).toEqual([{ it: true }]);
  });
});
