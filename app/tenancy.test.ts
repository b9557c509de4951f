import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { enterShop } from "../test/database/act-as-shop.ts";
import { openTestDatabase } from "../test/database/database.ts";
import type { Transaction } from "./platform/database/transactions.ts";

const ONE = "one.myshopify.com";
const TWO = "two.myshopify.com";
const db = await openTestDatabase();

/** Raw SQL as a tenant's transaction would run it, by one that forgot to ask for its own shop. */
const asShop = <T>(shop: string, work: (tx: Transaction) => Promise<T>) =>
  db.transactions.run(async (tx) => {
    const [statement, values] = await enterShop(db, shop);
    await tx.$executeRawUnsafe(statement, ...values);
    return work(tx);
  });

/** A transaction may do less with these than with other tables, and their rows hang together: see the test of their own. */
const TABLES_OF_KEYS = ["data_keys", "key_epochs", "resealings", "tombstones"];

/** Tables that hold a shop's rows, as the database itself lists them. */
const { rows: tenantTables } = await db.pool.query<{ name: string }>(
  `SELECT table_name AS name FROM information_schema.columns
   WHERE table_schema = 'public' AND column_name = 'shop' AND table_name <> 'shop_keys'
     AND table_name <> ALL($1) ORDER BY 1`,
  [TABLES_OF_KEYS],
);

beforeEach(async () => {
  await db.pool.query("TRUNCATE shops, inbox, timeline, connections");
});

describe("row-level security", () => {
  test("is forced on every table that there is", async () => {
    const { rows } = await db.pool.query<{ name: string }>(
      `SELECT oid::regclass AS name FROM pg_class
       WHERE relnamespace IN ('public'::regnamespace, 'pgboss'::regnamespace) AND relkind IN ('r', 'p')
         AND NOT (relrowsecurity AND relforcerowsecurity)`,
    );
    expect(rows).toEqual([]);
  });

  test("stands on every table that holds a shop's rows", async () => {
    const { rows } = await db.pool.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class c JOIN pg_policy p ON p.polrelid = c.oid
       WHERE polname = 'own_shop_v1' AND relname <> ALL($1) ORDER BY 1`,
      [TABLES_OF_KEYS],
    );
    expect(rows).toEqual(tenantTables);
    expect(rows.length).toBeGreaterThan(15);
  });

  test("keys of shops cannot be read by any tenant", async () => {
    await db.sealers.forShop(ONE);
    const reading = asShop(ONE, (tx) => tx.$queryRaw`SELECT * FROM shop_keys`);
    await expect(reading).rejects.toThrow(/permission denied/);
  });

  test("shows a shop its own keys and nothing of another's, and lets it change none", async () => {
    for (const shop of [ONE, TWO] as const) await db.sealers.forShop(shop);
    for (const name of ["data_keys", "key_epochs"]) {
      const seen = await asShop(ONE, (tx) =>
        tx.$queryRawUnsafe<unknown[]>(`SELECT DISTINCT shop FROM ${name}`),
      );
      expect(seen).toEqual([{ shop: ONE }]);
      const changing = asShop(ONE, (tx) => tx.$executeRawUnsafe(`UPDATE ${name} SET shop = shop`));
      await expect(changing).rejects.toThrow(/permission denied/);
    }
  });

  test.each(tenantTables)(
    "$name: another shop's rows cannot be read, changed, deleted or written",
    async ({ name }) => {
      await putRow(name, TWO);
      const seen = await asShop(ONE, (tx) =>
        tx.$queryRawUnsafe<unknown[]>(`SELECT shop FROM ${name}`),
      );
      expect(seen).toEqual([]);
      const own = await asShop(TWO, (tx) =>
        tx.$queryRawUnsafe<unknown[]>(`SELECT shop FROM ${name}`),
      );
      expect(own).toEqual([{ shop: TWO }]);

      // Evidence stays as it was written: what happened, who looked and what was agreed to.
      if (
        ![
          "timeline",
          "former_objects",
          "mapping_changes",
          "staff_access",
          "access_log",
          "access_log_seals",
          "consents",
          "notice_wordings",
        ].includes(name)
      ) {
        const changed = await asShop(ONE, (tx) =>
          tx.$executeRawUnsafe(`UPDATE ${name} SET shop = '${ONE}'`),
        );
        const deleted = await asShop(ONE, (tx) => tx.$executeRawUnsafe(`DELETE FROM ${name}`));
        expect([changed, deleted]).toEqual([0, 0]);
        const given = asShop(TWO, (tx) =>
          tx.$executeRawUnsafe(`UPDATE ${name} SET shop = '${ONE}'`),
        );
        await expect(given).rejects.toThrow(/row-level security/);
      }
      await db.pool.query(`DELETE FROM ${name}`);
      const written = asShop(ONE, async (tx) => tx.$executeRawUnsafe(await insertOf(name, TWO)));
      await expect(written).rejects.toThrow(/row-level security/);
    },
  );

  test("a transaction that named no shop sees nothing", async () => {
    await putRow("shops", ONE);
    const rows = await db.transactions.run(async (tx) => {
      await tx.$executeRaw`SELECT set_config('role', 'pathway_tenant', true)`;
      return tx.$queryRaw<unknown[]>`SELECT shop FROM shops`;
    });
    expect(rows).toEqual([]);
  });

  test("the role and the shop end with the transaction, on every connection of the pool", async () => {
    await Promise.all(
      Array.from({ length: 8 }, () => asShop(ONE, (tx) => tx.$executeRaw`SELECT pg_sleep(0.02)`)),
    );
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        db.pool.query(
          "SELECT pg_sleep(0.02), current_user = session_user AS own, current_setting('pathway.shop', true) AS shop",
        ),
      ),
    );
    for (const { rows } of answers) {
      expect(rows[0]).toMatchObject({ own: true });
      expect(rows[0].shop || "").toBe("");
    }
  });

  test("keeps timeline entries from being changed or removed", async () => {
    await putRow("timeline", ONE);
    for (const statement of ["UPDATE timeline SET kind = 'x'", "DELETE FROM timeline"])
      await expect(asShop(ONE, (tx) => tx.$executeRawUnsafe(statement))).rejects.toThrow(
        /permission denied/,
      );
  });
});

describe("tenancy", () => {
  test("each repository sees its own shop", async () => {
    for (const shop of [ONE, TWO] as const)
      await db.tenancy.inShop(shop, (tenant) =>
        tenant.shops.install(`scope of ${shop}`, new Date()),
      );
    const found = await db.tenancy.inShop(ONE, (tenant) => tenant.shops.find());
    expect(found).toMatchObject({ shop: ONE, scope: `scope of ${ONE}` });
  });

  test("a unit of work that throws leaves nothing", async () => {
    const failing = db.tenancy.inShop(ONE, async (tenant) => {
      await tenant.shops.install("", new Date());
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect((await db.pool.query("SELECT FROM shops")).rowCount).toBe(0);
  });
});

async function putRow(table: string, shop: string): Promise<void> {
  await db.pool.query(`DELETE FROM ${table}`);
  await db.pool.query(await insertOf(table, shop));
}

/** An INSERT that gives every column without a default some value of its type. */
async function insertOf(table: string, shop: string): Promise<string> {
  const { rows } = await db.pool.query<{ name: string; type: string }>(
    `SELECT column_name AS name, data_type AS type FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = $1 AND column_default IS NULL
       AND is_generated = 'NEVER' AND (is_nullable = 'NO' OR column_name = 'shop')`,
    [table],
  );
  const values: Record<string, string> = {
    uuid: `'${randomUUID()}'`,
    bytea: `'\\x00'`,
    integer: "1",
    bigint: "1",
    boolean: "false",
    jsonb: `'{}'`,
    "timestamp with time zone": "now()",
    text: "'text'",
  };
  const given = rows.map(({ name, type }) =>
    name === "shop" ? `'${shop}'` : (values[type] ?? `'{}'`),
  );
  return `INSERT INTO ${table} (${rows.map((row) => row.name).join(", ")}) VALUES (${given.join(", ")})`;
}
