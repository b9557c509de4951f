/** Long because each login tries each thing that it may not do. */
import { describe, expect, onTestFinished, test } from "vitest";
import {
  expectRefused,
  ONE,
  shopsSeen,
  startKeptDatabase,
  TWO,
} from "../test/database/kept-database.ts";
import { migrateDatabase } from "./migrate-database.ts";
import { createShopEraser } from "./modules/privacy/postgres/shop-eraser.ts";
import { LOGINS } from "./platform/database/logins.ts";
import { enterProcess, shopProof } from "./platform/encryption/tenant-key.ts";

const {
  asAdministrator,
  owner,
  ownerUrl,
  database,
  tenantKeys,
  tenantKey,
  logIn,
  inTenantTransaction,
} = await startKeptDatabase();
const AUDIT = ["access_log", "access_log_seals", "timeline", "erasures", "tombstones"];

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
      "SELECT last_value FROM signature_key_1",
      "SELECT currval('signature_key_1')",
      "SELECT nextval('signature_key_2')",
      "SELECT setval('signature_key_1', 1), setval('signature_key_2', 1)",
      "SELECT is_tenant_proof('process', '')",
      "COPY shops TO PROGRAM 'cat'",
      "SELECT pg_read_file('/etc/passwd')",
      "SELECT * FROM pg_authid",
    ]);
  });

  test.each(LOGINS)("%s is told nothing of the key of signatures", async (login) => {
    const told = `SELECT sequencename AS name, last_value, pg_sequence_last_value(sequencename::regclass) AS at
      FROM pg_sequences WHERE sequencename LIKE 'signature\\_%' ORDER BY 1`;
    const names = ["signature_key_1", "signature_key_2"];
    const client = await logIn(login);
    await enterProcess(client, tenantKey);
    expect((await client.query(told)).rows).toEqual(
      names.map((name) => ({ name, last_value: null, at: null })),
    );
    const { rows } = await owner.query(told);
    expect(rows.map(({ name }) => name)).toEqual(names);
    expect(new Set([0, ...rows.flatMap((row) => [row.last_value, row.at])]).size).toBe(3);
    expect(rows.every(({ at }) => BigInt(at) ** 2n > 2n ** 64n)).toBe(true);
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

  test("the worker alone ends lines of the timeline, and none that the database does not find ended", async () => {
    const order = "gid://shopify/Order/211";
    onTestFinished(async () => {
      await owner.query("DELETE FROM orders WHERE order_id = $1", [order]);
      await owner.query("DELETE FROM timeline WHERE order_id = $1", [order]);
    });
    await owner.query(
      `INSERT INTO orders (shop, order_id, name, paid_at, first_read_at, read_at, redacted_at)
       SELECT $1, $2, '#211', at, at, at, at FROM (SELECT now() - interval '8 years' AS at) old`,
      [ONE, order],
    );
    const line = `INSERT INTO timeline (shop, order_id, at, actor, kind)
      VALUES ($1, $2, now() - $3::interval, 'pathway', 'order_read')`;
    for (const age of ["7 years 1 day", "6 years"]) await owner.query(line, [ONE, order, age]);
    const wish = (shop: string) => `SELECT end_timeline('${shop}', 'infinity', NULL)`;
    const client = await inTenantTransaction("pathway_worker");
    await expectRefused(client, [wish(ONE)]);
    await client.query("RESET ROLE");
    await expectRefused(client, [wish(ONE)]);
    const web = await logIn("pathway_web");
    await enterProcess(web, tenantKey);
    await web.query("BEGIN");
    await expectRefused(web, [wish(ONE)]);
    await web.query("ROLLBACK");
    const worker = await logIn("pathway_worker");
    await worker.query("BEGIN");
    // By its address alone, without the tenant key.
    await expectRefused(worker, [wish(ONE)]);
    await worker.query("ROLLBACK");
    await enterProcess(worker, tenantKey);
    await worker.query(wish(TWO));
    const left = async () =>
      (await owner.query("SELECT FROM timeline WHERE order_id = $1", [order])).rowCount;
    expect(await left()).toBe(2);
    await worker.query(wish(ONE));
    expect(await left()).toBe(1);
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

  test("learns by yes or no whether its own store has another name, and nothing of any other", async () => {
    const hasOtherName = async (client: Awaited<ReturnType<typeof logIn>>) =>
      (await client.query("SELECT has_other_name() AS has")).rows[0].has;
    onTestFinished(async () => void (await owner.query("UPDATE shops SET store_id = NULL")));
    await owner.query("UPDATE shops SET store_id = shop");
    expect(await hasOtherName(await inTenantTransaction())).toBe(false);
    await owner.query("UPDATE shops SET store_id = 'one store'");
    const client = await inTenantTransaction();
    expect(await hasOtherName(client)).toBe(true);
    // Without the proof of another shop it is none.
    await client.query("SELECT set_config('pathway.shop', $1, true)", [TWO]);
    expect(await hasOtherName(client)).toBe(false);
    for (const login of LOGINS) {
      const own = await logIn(login);
      await enterProcess(own, tenantKey);
      await own.query("BEGIN");
      await expectRefused(own, [
        "SELECT has_other_name()",
        "SELECT ordered_under_other_name('gid://shopify/Order/1')",
        "SELECT other_name_that_ordered('gid://shopify/Order/1', 'one store')",
        "SELECT present_name()",
      ]);
    }
  });

  test("learns the other name of its own store for an order that was ordered there, and no name of another store", async () => {
    onTestFinished(async () => {
      await owner.query("DELETE FROM referral_requests WHERE order_id = 'gid://shopify/Order/77'");
      await owner.query("UPDATE shops SET store_id = NULL");
    });
    await owner.query(
      `INSERT INTO referral_requests (shop, id, environment, order_id, line_item_id, unit, reference_number, title, state, updated_at)
       VALUES ($1, gen_random_uuid(), 'staging', 'gid://shopify/Order/77', 'gid://shopify/LineItem/1', 1, 'R77', 'Iron', 'created', now())`,
      [TWO],
    );
    const nameOf = async (order: string, store: string) => {
      const text = "SELECT other_name_that_ordered($1, $2) AS name";
      return (await (await inTenantTransaction()).query(text, [order, store])).rows[0].name;
    };
    await owner.query("UPDATE shops SET store_id = shop");
    expect(await nameOf("gid://shopify/Order/77", ONE)).toBeNull();
    expect(await nameOf("gid://shopify/Order/77", TWO)).toBeNull();
    await owner.query("UPDATE shops SET store_id = 'one store'");
    expect(await nameOf("gid://shopify/Order/77", "one store")).toBe(TWO);
    expect(await nameOf("gid://shopify/Order/78", "one store")).toBeNull();
    expect(await nameOf("gid://shopify/Order/77", "other store")).toBeNull();
  });

  test("learns the name under which its own store signed in last, and no name that is in doubt or of another store", async () => {
    const { rows: former } = await owner.query("SELECT shop, installed_at FROM shops");
    onTestFinished(async () => {
      await owner.query(
        "UPDATE shops SET store_id = NULL, other_store_id = NULL, uninstalled_at = NULL",
      );
      for (const { shop, installed_at } of former)
        await owner.query("UPDATE shops SET installed_at = $2 WHERE shop = $1", [
          shop,
          installed_at,
        ]);
    });
    const present = async () =>
      (await (await inTenantTransaction()).query("SELECT present_name() AS name")).rows[0].name;
    const set = (values: string, shop = TWO) =>
      owner.query(`UPDATE shops SET ${values} WHERE shop = $1`, [shop]);
    await set("store_id = 'one store', installed_at = '2026-01-01'", ONE);
    await set("store_id = 'two stores', installed_at = '2026-02-01'");
    expect(await present()).toBeNull();
    await set("store_id = 'one store'");
    expect(await present()).toBe(TWO);
    for (const [doubt, end] of [
      ["other_store_id = 'third'", "other_store_id = NULL"],
      ["uninstalled_at = now()", "uninstalled_at = NULL"],
      ["installed_at = '2025-12-01'", "installed_at = '2026-02-01'"],
    ] as const) {
      await set(doubt);
      expect(await present()).toBeNull();
      await set(end);
    }
    await set("other_store_id = 'third'", ONE);
    expect(await present()).toBeNull();
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
