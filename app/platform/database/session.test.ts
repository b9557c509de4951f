import pg from "pg";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { ONE, startKeptDatabase } from "../../../test/database/kept-database.ts";
import { startEngine } from "../../queue/engine.ts";
import { createLogger } from "../logger.ts";
import { shareConnections } from "./connection-shares.ts";
import { type Database, openProcessDatabase } from "./database.ts";
import { PooledPipelinedClient } from "./pipelined-client.ts";
import { openTransactions } from "./transactions.ts";

const { asAdministrator, access, tenantKey } = await startKeptDatabase();
const logger = createLogger("silent");

/** Gives the database a setting, as an operator or a host does; each test takes it back. */
async function give(name: string, value: string): Promise<void> {
  await asAdministrator.query(`ALTER DATABASE kept SET ${name} = ${value}`);
}
afterEach(() => asAdministrator.query("ALTER DATABASE kept RESET ALL"));

/** The connections of one process, opened anew. */
function open() {
  const database = openProcessDatabase({
    ...{ url: access.databaseUrl, processUrl: access.processUrl, tenantKey },
    ...{ connections: shareConnections(8), onError: () => {} },
  });
  onTestFinished(() => database.close());
  return database;
}

/** Writes in a transaction that has entered no shop, and finds none. */
const write = (database: Database) =>
  database.transactions.run(
    (tx) => tx.$executeRaw`UPDATE shops SET scope = scope WHERE shop = ${ONE}`,
  );

const SHOWN = `SELECT current_setting('synchronous_commit') AS "forDisk",
  current_setting('transaction_isolation') AS isolation, current_setting('search_path') AS path,
  current_setting('standard_conforming_strings') AS texts,
  current_setting('statement_timeout') AS statement,
  current_setting('idle_in_transaction_session_timeout') AS idle`;
type Shown = Record<"forDisk" | "isolation" | "path" | "texts" | "statement" | "idle", string>;

/** Reads the settings of a connection of each kind, within a transaction. */
async function shown(): Promise<Shown[]> {
  const database = open();
  const pooled = new pg.Pool({
    ...{ connectionString: access.databaseUrl, max: 1, pipeline: true },
    Client: PooledPipelinedClient,
  });
  onTestFinished(() => pooled.end());
  const ofTransactions = [database.transactions, openTransactions(pooled)].map((transactions) =>
    transactions.run(async (tx) => (await tx.$queryRawUnsafe<Shown[]>(SHOWN))[0]),
  );
  const [row] = (await database.pool.query<Shown>(SHOWN)).rows;
  const all = [row, ...(await Promise.all(ofTransactions))];
  return all.map((one) => one ?? expect.unreachable());
}

describe("whatever an operator or a host has given the database, a process's session", () => {
  test("waits for the disk: a yes to a message, and a claim, outlive a crash of the server", async () => {
    await give("synchronous_commit", "off");
    expect((await shown()).map(({ forDisk }) => forDisk)).toEqual(["on", "on", "on"]);
  });

  test("waits for a standby's disk as it was told", async () => {
    await give("synchronous_commit", "remote_apply");
    expect((await shown()).map(({ forDisk }) => forDisk)).toEqual(Array(3).fill("remote_apply"));
  });

  test("sees what others have committed meanwhile", async () => {
    await give("default_transaction_isolation", "serializable");
    const all = (await shown()).map(({ isolation }) => isolation);
    expect(all).toEqual(Array(3).fill("read committed"));
  });

  test("finds its tables", async () => {
    await give("search_path", "nowhere");
    expect((await shown()).map(({ path }) => path)).toEqual(["public", "public", "public"]);
    const database = open();
    expect((await database.pool.query("SELECT FROM inbox")).rowCount).toBe(0);
    await expect(write(database)).resolves.toBe(0);
  });

  test("reads what is written as it stands there", async () => {
    await give("standard_conforming_strings", "off");
    expect((await shown()).map(({ texts }) => texts)).toEqual(["on", "on", "on"]);
  });

  test("ends in the server what the process does not wait for any more", async () => {
    expect(await shown()).toMatchObject(Array(3).fill({ statement: "10s", idle: "25s" }));
  });

  test("keeps shorter limits that it was given", async () => {
    await give("statement_timeout", "'2s'");
    await give("idle_in_transaction_session_timeout", "'5s'");
    expect(await shown()).toMatchObject(Array(3).fill({ statement: "2s", idle: "5s" }));
  });
});

test("a statement that waits for a lock leaves nothing behind in the server when it was given up", async () => {
  const database = open();
  const waiting = async () => {
    const { rows } = await asAdministrator.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity
       WHERE datname = 'kept' AND usename = 'pathway_worker' AND wait_event_type = 'Lock'`,
    );
    return rows[0]?.n;
  };
  const holder = new pg.Client({
    connectionString: access.databaseUrl.replace("pathway_web", "keeper"),
  });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query("BEGIN; LOCK TABLE inbox IN ACCESS EXCLUSIVE MODE");
  const asked = database.pool.query("SELECT count(*) FROM inbox").catch((error: unknown) => error);
  await expect.poll(waiting).toBe(1);
  expect(await asked).toBeInstanceOf(Error);
  // It would wait for as long as the table is held.
  await expect.poll(waiting).toBe(0);
});

describe("a connection on which nothing could be written", () => {
  test("of a shop's transactions is closed, so that writing goes on once the database takes writes again", async () => {
    const database = open();
    await expect(write(database)).resolves.toBe(0);
    await give("default_transaction_read_only", "on");
    await asAdministrator.query(
      "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = 'pathway_web'",
    );
    await expect.poll(() => write(database).catch(({ code }) => code)).toBe("25006");
    await asAdministrator.query("ALTER DATABASE kept RESET ALL");
    await expect(write(database)).resolves.toBe(0);
  });

  test("of the job engine is closed", async () => {
    const engine = await startEngine({
      ...{ databaseUrl: access.processUrl, tenantKey, poolSize: 1, logger },
    });
    onTestFinished(() => engine.stop());
    const insert = () => engine.boss.insert("maintain-shop", [{ data: { shop: ONE } }]);
    await give("default_transaction_read_only", "on");
    await asAdministrator.query(
      "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = 'pathway_worker'",
    );
    await expect.poll(() => insert().catch(({ code }) => code)).toBe("25006");
    await asAdministrator.query("ALTER DATABASE kept RESET ALL");
    await insert();
  });
});
